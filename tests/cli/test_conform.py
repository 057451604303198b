"""`lrspec conform`: on the reference, and on adapters that other packages register."""

from __future__ import annotations

from importlib.metadata import entry_points
from pathlib import Path

import pytest
from tests.cli.conftest import Cli
from tests.cli.suites import golden, invalid, reading, register, write_suite

from lrspec.conformance import suite

TOY = '''\
"""Adapters of somebody else."""
from array import array


def good(curve, steps):
    assert curve.base is not None
    return [curve(step) for step in steps]

good.profile = "float64"


class Single:
    """Rounds to float32, as frameworks do."""
    profile = "float32"

    def __call__(self, curve, steps):
        return array("f", [curve(step) for step in steps])

single = Single()


def late(curve, steps):
    return [curve(step + 1) for step in steps]

late.profile = "float64"


def short(curve, steps):
    return []

short.profile = "float32"


def raising(curve, steps):
    raise RuntimeError("out of\\nmemory")

raising.profile = "float64"


def double(curve, steps):
    return []

double.profile = "float128"
'''


@pytest.fixture(autouse=True)
def toys(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Register the toy adapters, and make a small suite the installed one."""
    site = tmp_path / "site"
    site.mkdir()
    names = ["good", "single", "late", "short", "raising", "double", "gone"]
    points = {f"toy-{name}": f"lrspec_test_toys:{name}" for name in names}
    points["toy-bare"] = "lrspec_test_toys_bare:evaluate"
    bare = "raise ImportError(\"toyframe is missing: pip install 'lrspec-toys[toyframe]'\")\n"
    register(site, points, {"lrspec_test_toys": TOY, "lrspec_test_toys_bare": bare})
    monkeypatch.syspath_prepend(str(site))
    folder = write_suite(
        tmp_path / "suite",
        {
            "golden/linear/falls": golden(),
            "golden/linear/falls-with-a-base": golden(
                facts={"base": 0.5}, values=["0.5", "0.34999999999999998", "0"]
            ),
            "golden/repeat/far": golden(
                steps=["0", "2147483648", "9007199254740992"],
                values=["1", "0", "0"],
                exact=[0, 1, 2],
            ),
            "golden/repeat/precise": golden(profiles=["float64"]),
            "invalid/no-final": invalid(),
            "reading/line": reading(),
            "reading/accepted": reading(
                text=["lrspec: 1\nschedule: {constant: {}}\n", {"repeat": ["#", 9]}], accepted=True
            ),
            "reading/binary": reading(base64="/w==", text=None, error={"code": "not-text"}),
        },
    )
    monkeypatch.setattr(suite, "installed", lambda: suite.read(folder))


def test_the_reference(cli: Cli) -> None:
    done = cli("conform", "core")

    assert (
        done.out
        == """\
core: suite 1.0.0, float64

category  passed  failed  left out  values
linear         2       0         0       6
repeat         2       0         0       6
invalid        1       0         0       0
reading        3       0         0       0
total          8       0         0      12

core: 8 passed, 0 failed
"""
    )
    assert (done.status, done.err) == (0, "")


def test_adapters_of_both_profiles(cli: Cli) -> None:
    done = cli("conform", "toy-good", "toy-single")

    assert (
        done.out
        == """\
toy-good: suite 1.0.0, float64

category  passed  failed  left out  values
linear         2       0         0       6
repeat         2       0         0       6
total          4       0         0      12

toy-good: 4 passed, 0 failed
toy-single: suite 1.0.0, float32

category  passed  failed  left out  values
linear         2       0         0       6
repeat         1       0         1       1
total          3       0         1       7

toy-single: 3 passed, 0 failed, 5 values not for float32 left out
"""
    )
    assert (done.status, done.err) == (0, "")


def test_every_value_that_is_wrong(cli: Cli) -> None:
    done = cli("conform", "toy-late")

    assert [line for line in done.lines if line.startswith("golden/")] == [
        f"golden/{case}, {off} allowed"
        for case, off in [
            ("linear/falls: step 0: got 0.9, want 1.0", "4.504e+14 ULP off, 0"),
            ("linear/falls: step 3: got 0.6, want 0.7", "9.007e+14 ULP off, 3"),
            ("linear/falls-with-a-base: step 0: got 0.45, want 0.5", "4.504e+14 ULP off, 0"),
            ("linear/falls-with-a-base: step 3: got 0.3, want 0.35", "9.007e+14 ULP off, 3"),
            ("repeat/far: step 0: got 0.9, want 1.0", "4.504e+14 ULP off, 0"),
            ("repeat/precise: step 0: got 0.9, want 1.0", "4.504e+14 ULP off, 0"),
            ("repeat/precise: step 3: got 0.6, want 0.7", "9.007e+14 ULP off, 3"),
        ]
    ]
    assert done.lines[-1] == "toy-late: 0 passed, 4 failed"
    assert done.status == 1


def test_no_values(cli: Cli) -> None:
    done = cli("conform", "toy-short")

    assert "golden/linear/falls: 0 values for 3 steps" in done.lines
    assert done.status == 1


def test_an_adapter_that_raises(cli: Cli) -> None:
    done = cli("conform", "toy-raising")

    assert "golden/linear/falls: RuntimeError: out of memory" in done.lines
    assert done.status == 1


@pytest.mark.parametrize(
    ("name", "complaint"),
    [
        (
            "toy-bare",
            "toy-bare cannot be used here: toyframe is missing:"
            " pip install 'lrspec-toys[toyframe]'",
        ),
        ("toy-gone", "toy-gone cannot be used here: module 'lrspec_test_toys' has no attribute"),
        ("toy-double", "lrspec_test_toys:double is no adapter: a callable (curve, steps)"),
    ],
)
def test_one_that_cannot_be_used_does_not_stop_others(cli: Cli, name: str, complaint: str) -> None:
    done = cli("conform", name, "toy-good")

    assert done.err.startswith(f"lrspec: {complaint}")
    assert len(done.err.splitlines()) == 1
    assert done.lines[-1] == "toy-good: 4 passed, 0 failed"
    assert done.status == 1


def test_two_of_one_name(cli: Cli, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    more = tmp_path / "more"
    more.mkdir()
    register(more, {"toy-good": "lrspec_test_toys:late"}, {})
    (more / "toy_adapters-1.0.dist-info").rename(more / "other_toys-1.0.dist-info")
    (more / "other_toys-1.0.dist-info" / "METADATA").write_text(
        "Metadata-Version: 2.1\nName: other-toys\nVersion: 1.0\n"
    )
    monkeypatch.syspath_prepend(str(more))
    assert len(entry_points(group="lrspec.adapters", name="toy-good")) == 2
    done = cli("conform", "toy-good")

    assert done.err == (
        "lrspec: more than one adapter is registered as 'toy-good':"
        " lrspec_test_toys:late, lrspec_test_toys:good\n"
    )
    assert done.status == 1


def test_an_unknown_name(cli: Cli) -> None:
    done = cli("conform", "core", "toy")

    assert "no backend is named 'toy'; there are core, " in done.err
    assert (done.status, done.out) == (2, "")


def test_a_suite_without_a_case(cli: Cli, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    folder = write_suite(tmp_path / "empty", {})
    monkeypatch.setattr(suite, "installed", lambda: suite.read(folder))
    done = cli("conform", "core")

    assert done.lines[-1] == "core: 0 passed, 0 failed"
    assert done.status == 1


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        ({"facts": {"steps": 0}}, "refused: [invalid-fact] /training/steps: "),
        ({"document": {"lrspec": 1, "schedule": {}}}, "refused: [one-kind] /schedule: "),
    ],
)
@pytest.mark.parametrize("name", ["core", "toy-good"])
def test_a_golden_case_that_is_refused(
    cli: Cli,
    monkeypatch: pytest.MonkeyPatch,
    tmp_path: Path,
    change: dict[str, object],
    reason: str,
    name: str,
) -> None:
    folder = write_suite(tmp_path / "one", {"golden/linear/case": golden(**change)})
    monkeypatch.setattr(suite, "installed", lambda: suite.read(folder))
    done = cli("conform", name)

    (line,) = [line for line in done.lines if line.startswith("golden/")]
    assert line.startswith(f"golden/linear/case: {reason}")
    assert done.status == 1


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        (
            {"error": {"code": "one-kind", "path": ""}},
            "refused for missing-field at /schedule/linear, want one-kind at the document",
        ),
        ({"document": golden()["document"]}, "accepted, want missing-field at /schedule/linear"),
    ],
)
def test_an_invalid_case_that_fails(
    cli: Cli,
    monkeypatch: pytest.MonkeyPatch,
    tmp_path: Path,
    change: dict[str, object],
    reason: str,
) -> None:
    folder = write_suite(tmp_path / "one", {"invalid/case": invalid(**change)})
    monkeypatch.setattr(suite, "installed", lambda: suite.read(folder))
    done = cli("conform", "core")

    assert f"invalid/case: {reason}" in done.lines
    assert done.status == 1


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        (
            {"text": "lrspec: [", "error": {"code": "too-deep"}},
            "refused for syntax, want too-deep",
        ),
        ({"text": "lrspec: ["}, "refused for syntax, want it read"),
        ({"error": {"code": "syntax"}}, "accepted, want syntax"),
        (
            {"document": {**golden()["document"], "name": "line"}},
            "read as {'lrspec': 1, 'schedule': {'linear': {'initial': 1, 'final': 0,"
            " 'length': 10.0}}}, want {'lrspec': 1, 'schedule':",
        ),
    ],
)
def test_a_reading_case_that_fails(
    cli: Cli,
    monkeypatch: pytest.MonkeyPatch,
    tmp_path: Path,
    change: dict[str, object],
    reason: str,
) -> None:
    folder = write_suite(tmp_path / "one", {"reading/case": reading(**change)})
    monkeypatch.setattr(suite, "installed", lambda: suite.read(folder))
    done = cli("conform", "core")

    (line,) = [line for line in done.lines if line.startswith("reading/")]
    assert line.startswith(f"reading/case: {reason}")
    assert done.status == 1


@pytest.mark.parametrize("group", ["golden/linear", "invalid", "reading"])
def test_a_fault_of_the_reference_stops_nothing(
    cli: Cli, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, group: str
) -> None:
    cases = {"golden/linear": golden(), "invalid": invalid(), "reading": reading()}
    folder = write_suite(tmp_path / "one", {f"{group}/case": cases[group]})
    monkeypatch.setattr(suite, "installed", lambda: suite.read(folder))

    def faulty(_source: object) -> None:
        raise ZeroDivisionError("by zero, " + 600 * "x")

    monkeypatch.setattr("lrspec.loading.schema_problems", faulty, raising=False)
    monkeypatch.setattr("lrspec.schema.schema_problems", faulty)
    done = cli("conform", "core")

    (line,) = [line for line in done.lines if line.startswith(f"{group}/")]
    assert line.startswith(f"{group}/case: ZeroDivisionError: by zero, xxx")
    assert line.endswith("x…")
    assert done.status == 1


def test_a_bar_while_it_runs(cli: Cli, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FORCE_COLOR", "1")  # which makes a terminal of any output
    done = cli("conform", "core")

    assert "cases" in done.err
    assert "8 passed, 0 failed" in done.lines[-1]
