"""What stands around every importer: files and mappings, keys that are left, and the document."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from tests.importers.trainers import body

from lrspec.importing.config import Config
from lrspec.importing.imported import Imported
from lrspec.importing.importer import importer
from lrspec.importing.nodes import constant, linear, piecewise_linear
from lrspec.importing.run import Run
from lrspec.importing.sequence import stages
from lrspec.loading import loads
from lrspec.problems import SpecError


def parse(text: str) -> dict[str, Any]:
    """Files of the system: words, each a key whose value is its length."""
    if "?" in text:
        raise ValueError("it holds a question mark")
    if "!" in text:
        return {"lr": [print]}
    return {word: len(word) for word in text.split()}


@importer("Example", key="schedules", text=parse)
def load(config: Config, run: Run) -> Imported:
    """The document of an example."""
    if "schedules" in config:
        run.say("There are schedules.")
        config.ignore("schedules")
    rate = run.base(config, "lr")
    run.say("It is constant.")
    return run.document(
        stages(linear(0, rate or 1.0, 2), constant(rate or 1.0)),
        origin=run.schedule or "constant",
        base=rate,
        steps=run.steps(),
    )


@importer("Plain")
def plain(config: Config, run: Run) -> Imported:
    """The document of a system without files of its own."""
    return run.document(constant(config.number("lr")), origin="constant", base=None)


def refusal(read: Callable[[], object]) -> str:
    """The one problem that reading raises, after its code."""
    with pytest.raises(SpecError) as caught:
        read()
    (problem,) = caught.value.problems
    return f"{problem.code} {problem}"


def written(path: Path, text: str) -> Path:
    path.write_text(text, "utf-8")
    return path


# The caller


def test_what_load_says_of_itself() -> None:
    assert load.system == "Example"
    assert load.__doc__ == "The document of an example."
    assert load.__module__ == __name__


def test_a_mapping() -> None:
    document = load({"lr": 0.1}, steps=10)
    assert isinstance(document, Imported)
    assert document.bind()(5) == 0.1
    assert document.origin == "Example constant"
    assert document.notes == ("It is constant.",)
    assert document.warnings == ()


def test_the_schedule_is_named_beside() -> None:
    assert load({}, schedule="warmup").origin == "Example warmup"


def test_unknown_facts_are_an_error_of_the_caller() -> None:
    with pytest.raises(TypeError, match=r"load\(\) got an unexpected keyword argument 'epochs'"):
        load({}, epochs=3)  # type: ignore[call-arg] # pyright: ignore[reportCallIssue]


def test_keys_that_nothing_reads_are_refused() -> None:
    assert refusal(lambda: load({"lr": 1, "lrr": 2})) == (
        "unknown-field 'lrr' is not known here; did you mean 'lr'?"
    )


def test_a_list_belongs_to_its_key() -> None:
    assert "There are schedules." in load([1, 2]).notes
    assert refusal(lambda: plain([1, 2])) == (
        "not-a-config a configuration of Plain is a mapping, found a list"
    )


@pytest.mark.parametrize("key", ["schedule", "schedules"])
def test_what_is_a_document_already(tmp_path: Path, key: str) -> None:
    constant_ = {"constant": None}
    config = {"lrspec": 1, key: constant_ if key == "schedule" else {"lr": constant_}}
    message = "this is a document of lrspec already"
    assert refusal(lambda: load(config)) == f"not-a-config {message}"
    assert refusal(lambda: load({"run": config}, at="run")) == f"not-a-config /run: {message}"
    path = tmp_path / "a.yaml"
    path.write_text(f"lrspec: 1\n{key}: 3\n", "utf-8")
    assert refusal(lambda: load(path)) == f"not-a-config {path}:1:1: {message}"


def test_a_key_named_lrspec_makes_no_document() -> None:
    assert refusal(lambda: load({"lrspec": 1, "lr": 2})) == (
        "unknown-field 'lrspec' is not known here; it takes lr"
    )


@pytest.mark.parametrize(("config", "found"), [(3, "3"), (None, "nothing"), (True, "true")])
def test_what_is_no_mapping(config: object, found: str) -> None:
    message = f"not-a-config a configuration of Example is a mapping, found {found}"
    assert refusal(lambda: load(config)) == message


def test_a_mapping_with_something_else_in_it() -> None:
    assert refusal(lambda: load({"lr": print})).startswith("wrong-type /lr: ")
    # What is read of it is all that matters.
    assert plain({"lr": 0.5, "x": {"f": print}} | {"x": None}).bind()(0) == 0.5


def test_numbers_too_large_to_compute_with() -> None:
    @importer("Large")
    def large(config: Config, run: Run) -> Imported:
        return run.document(constant(10.0 ** config.whole("power")), origin="x", base=None)

    assert large({"power": 2}).bind()(0) == 100
    assert refusal(lambda: large({"power": 400})) == (
        "out-of-range a number in the configuration is too large to compute with"
    )


# Parts of a larger configuration


@pytest.mark.parametrize("at", ["trainer.optim.0", "/trainer/optim/0"])
def test_a_part(at: str) -> None:
    whole = {"trainer": {"optim": [{"lr": 0.25}], "seed": 3}, "model": print}
    assert load(whole, at=at).bind()(9) == 0.25


def test_a_part_that_is_a_list() -> None:
    assert "There are schedules." in load({"a": [1]}, at="a").notes


@pytest.mark.parametrize(
    ("at", "message"),
    [
        (
            "runs[0].lr",
            "no-such-part there is no 'runs[0]' here, but runs and a.b; write runs.0.lr",
        ),
        (
            "a.b.lr",
            "no-such-part there is no 'a' here, but runs and a.b; 'a.b' is one key, and takes the"
            " form of a JSON pointer, /a.b",
        ),
        ("/a/b", "no-such-part there is no 'a' here, but runs and a.b"),
        ("b", "no-such-part there is no 'b' here, but runs and a.b"),
    ],
)
def test_how_a_part_is_named(at: str, message: str) -> None:
    data = {"runs": [{"lr": {"lr": 0.25}}], "a.b": {"lr": 0.25}}

    assert refusal(lambda: load(data, at=at)) == message
    assert load(data, at="/a.b").bind()(9) == load(data, at="runs.0.lr").bind()(9) == 0.25


def test_a_part_that_is_not_there() -> None:
    assert refusal(lambda: load({"a": {"b": 1, "c": 2}}, at="a.d")) == (
        "no-such-part /a: there is no 'd' here, but b and c"
    )
    assert refusal(lambda: load({"a": {"b": 1}}, at="a.b")) == (
        "not-a-config /a/b: a configuration of Example is a mapping, found 1"
    )


def test_problems_of_a_part_have_their_places(tmp_path: Path) -> None:
    path = written(tmp_path / "a.yaml", "a:\n  lr: 0.1\n  zz: 1\n")
    assert refusal(lambda: load(path, at="a")) == (
        f"unknown-field {path}:3:3: /a: 'zz' is not known here; it takes lr"
    )


# Files


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("a.yaml", "lr: 0.1\n"),
        ("a.YML", "lr: 0.1\n"),
        ("a.json", '{"lr": 0.1}'),
        ("a.toml", "lr = 0.1\n"),
        ("a.TOML", "lr = 0.1\n"),
    ],
)
def test_files(tmp_path: Path, name: str, text: str) -> None:
    path = written(tmp_path / name, text)
    for config in (path, str(path)):
        assert load(config).bind()(5) == 0.1
        assert plain(config).bind()(5) == 0.1


def test_files_of_the_system(tmp_path: Path) -> None:
    assert load(written(tmp_path / "a.cfg", "lr")).bind()(5) == 2
    assert load(written(tmp_path / "noext", "lr")).bind()(5) == 2
    assert refusal(lambda: load(tmp_path / "missing.cfg")) == (
        f"unreadable-file {tmp_path / 'missing.cfg'}: there is no such file"
    )


def test_files_without_a_suffix_are_yaml_where_the_system_has_none(tmp_path: Path) -> None:
    assert plain(written(tmp_path / "config", "lr: 0.1\n")).bind()(5) == 0.1


@pytest.mark.parametrize(
    ("name", "text", "message"),
    [
        ("a.cfg", "?", "not-a-config {}: the file cannot be read: it holds a question mark"),
        ("a.toml", "lr = ", "not-a-config {}: the file cannot be read: Invalid value"),
        ("a.yaml", "lr: [", "syntax {}:2:1: "),
        ("a.cfg", "\0", "not-text {}:1:1: the file is not text: it holds the character U+0000"),
        ("a.cfg", "!", "wrong-type {}: /lr/0: "),
        (
            "a.yaml",
            "- 1",
            "not-a-config {}:1:1: a configuration of Plain is a mapping, found a list",
        ),
    ],
)
def test_files_that_are_none(tmp_path: Path, name: str, text: str, message: str) -> None:
    path = written(tmp_path / name, text)
    found = refusal(lambda: (plain if "Plain" in message else load)(path))
    assert found.startswith(message.format(path)), found


def test_problems_have_their_places(tmp_path: Path) -> None:
    path = written(tmp_path / "a.yaml", "lr: 0.1\nzz: 1\n")
    assert refusal(lambda: load(path)) == (
        f"unknown-field {path}:2:1: 'zz' is not known here; it takes lr"
    )
    path = written(tmp_path / "a.cfg", "lr zz")
    assert refusal(lambda: load(path)) == (
        f"unknown-field {path}: 'zz' is not known here; it takes lr"
    )


def test_a_parser_may_raise_problems_itself(tmp_path: Path) -> None:
    @importer("Strict", text=lambda text: dict(plain({"x": text}).to_dict()))
    def strict(config: Config, run: Run) -> Imported:
        raise AssertionError("it is not reached")

    path = written(tmp_path / "a.cfg", "")
    assert refusal(lambda: strict(path)).startswith("missing-field ")


# Standard input


def test_bytes() -> None:
    assert load(b"lr: 0.1\n").bind()(5) == 0.1
    assert load(b'{"lr": 0.1}').bind()(5) == 0.1
    assert plain(b"lr: 0.1\n").bind()(5) == 0.1
    assert "There are schedules." in load(b"- 1\n").notes
    # What is neither is the system's own.
    assert load(b"lr").bind()(5) == 2


def test_bytes_that_are_none() -> None:
    message = "not-a-config the file cannot be read: it holds a question mark"
    assert refusal(lambda: load(b"what?")) == message
    assert refusal(lambda: load(b"a: [?")) == message
    assert refusal(lambda: plain(b"lr: [")).startswith("syntax 2:1: ")
    assert refusal(lambda: plain(b"lr")) == (
        "not-a-config 1:1: a configuration of Plain is a mapping, found 'lr'"
    )
    assert refusal(lambda: load(b"\xff")).startswith("not-text 1:1: ")


# The document


def test_the_text_reads_back_as_the_document() -> None:
    document = load({"lr": 0.1}, steps=10)
    assert document.to_yaml() == (
        "# Imported from Example constant.\n"
        "# - It is constant.\n"
        "#\n"
        "# from    to  kind      from value  to value\n"
        "#    0     2  linear             0       0.1\n"
        "#    2    10  constant         0.1       0.1\n"
        "#   10  open  held             0.1\n"
        "\n"
        "lrspec: 1\n"
        "base: 0.1\n"
        "training: {steps: 10}\n"
        "schedule:\n"
        "- linear: {initial: 0, final: 1, length: 2}\n"
        "- constant:\n"
    )
    assert loads(document.to_yaml()) == document


def test_long_notes_are_wrapped() -> None:
    document = Imported({"lrspec": 1, "schedule": {"constant": None}}, "x", ["word " * 40])
    lines = document.to_yaml().splitlines()
    assert max(map(len, lines)) <= 98
    assert lines[1].startswith("# - word") and lines[2].startswith("#   word")


def test_of_many_phases_the_first_and_the_last_are_shown() -> None:
    node = piecewise_linear(range(61), [step % 2 for step in range(61)])
    lines = Imported({"lrspec": 1, "schedule": node}, "x", []).report().splitlines()
    assert lines[:2] == ["Imported from x.", ""]
    # Headings, 60 lines between the knots, and what is held after the last.
    assert len(lines[2:]) == 24
    first = [line.split()[0] for line in lines[2:22]]
    assert first == ["from", *(str(step) for step in range(19))]
    assert lines[22] == "… 39 more"
    assert [line.split()[:2] for line in lines[23:]] == [["58", "59"], ["59", "60"], ["60", "open"]]


def test_every_hyperparameter_has_its_phases() -> None:
    schedules = {"lr": constant(1), "momentum": constant(0.9)}
    data = {"lrspec": 1, "base": {"momentum": "absolute"}, "schedules": schedules}
    assert Imported(data, "x", []).report() == (
        "Imported from x.\n"
        "\n"
        "lr:\n"
        "from    to  kind      from value  to value\n"
        "   0  open  constant           1\n"
        "\n"
        "momentum:\n"
        "from    to  kind      from value  to value\n"
        "   0  open  constant         0.9\n"
    )


def test_phases_that_need_a_fact_are_left_out() -> None:
    data = {"lrspec": 1, "schedule": linear(1, 0, "10 epochs")}
    assert Imported(data, "x", ["Why."]).report() == "Imported from x.\n- Why.\n"
    assert body(Imported(data, "x", ["Why."])) == (
        "lrspec: 1\nschedule:\n  linear: {initial: 1, final: 0, length: 10 epochs}\n"
    )
