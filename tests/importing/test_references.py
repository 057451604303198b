"""A value that stands elsewhere in a configuration is found there."""

from __future__ import annotations

from typing import Any

import pytest

from lrspec.copying import copy_data
from lrspec.importers import fairseq, llm_foundry, nemo
from lrspec.importing.references import resolved
from lrspec.problems import SpecError
from lrspec.reading import read_text

TREE: dict[str, Any] = {
    "top": 7,
    "model": {"width": 512, "list": [{"x": 3}, 4], "again": "${model.width}", "none": None},
    "round": "${about}",
    "about": "${round}",
    "near": "${model.near}",
}


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("${top}", 7),
        ("${model.width}", 512),
        ("${model.again}", 512),
        ("${model.list.1}", 4),
        ("${model.list[0].x}", 3),
        ("${model.none}", None),
        ("${.width}", 512),
        ("${..top}", 7),
        ("${model}", TREE["model"]),
        ("${width}", 512),
        ("${list.1}", 4),
    ],
)
def test_what_a_reference_leads_to(text: str, value: object) -> None:
    assert resolved(text, ("model",), copy_data(TREE)) == value


@pytest.mark.parametrize(
    "text",
    [
        *("${nothing}", "${model.nothing}", "${...top}", "${top.x}", "${model.list.2}"),
        *("${round}", "${oc.env:HOME}", "${multiply:2,3}", "${top}0", "top", "", "$top", "${}"),
    ],
)
def test_what_leads_nowhere(text: str) -> None:
    assert resolved(text, ("model",), copy_data(TREE)) == text


@pytest.mark.parametrize("value", [None, 3, 0.5, True, [1], {"a": "${top}"}])
def test_what_is_no_text(value: Any) -> None:
    assert resolved(value, (), copy_data(TREE)) == value


def test_what_could_not_be_read() -> None:
    source = read_text("a: .nan\nb: {c: .inf}\nd: ${a}\n", any_key=True)
    assert resolved("${a}", (), source) == "${a}"
    assert resolved("${b}", (), source) == "${b}"


def test_noam_in_a_file_of_nemo() -> None:
    sched = {"name": "NoamAnnealing", "d_model": "${model.encoder.d_model}", "warmup_steps": 10}
    model = {"encoder": {"d_model": 4}, "optim": {"lr": 2.0, "sched": sched}}
    found = nemo.load({"model": model, "trainer": {"max_steps": 100}}).bind()
    assert found(20) == pytest.approx(2 * 4**-0.5 * 20**-0.5, rel=1e-12)


def test_a_length_that_stands_in_the_trainer() -> None:
    sched = {"name": "CosineAnnealing", "max_steps": "${trainer.max_steps}"}
    config = {"model": {"optim": {"lr": 1, "sched": sched}}, "trainer": {"max_steps": 10}}
    assert nemo.load(config).bind()(5) == pytest.approx(0.5, rel=1e-12)


def test_what_is_given_later_is_left_out() -> None:
    sched = {"name": "WarmupPolicy", "warmup_steps": 10}
    optim = {"lr": "???", "sched": sched}
    config = {"model": {"optim": optim}, "trainer": {"max_epochs": "${epochs}"}, "epochs": "???"}
    assert nemo.load(config, base=2.0, steps=100).bind()(50) == 2
    assert nemo.load(config, steps=100).bind().base is None


def test_numbers_in_a_list() -> None:
    config = {"optimization": {"lr": ["${rate}"], "max_update": 10}, "rate": 0.5}
    schedule = {"lr_scheduler": {"_name": "polynomial_decay", "warmup_updates": 0}}
    assert fairseq.load({**config, **schedule}).bind()(5) == 0.25


def test_an_optimizer_that_is_elsewhere() -> None:
    scheduler = {"name": "constant_with_warmup", "t_warmup": "${warmup}"}
    config = {"scheduler": scheduler, "warmup": "10ba", "optimizer": "${one}", "one": {"lr": 2}}
    assert llm_foundry.load({**config, "max_duration": "100ba"}).bind()(5) == 1.0


def test_what_is_not_there_is_refused() -> None:
    sched = {"name": "NoamAnnealing", "d_model": "${model.d}", "warmup_steps": 10}
    with pytest.raises(SpecError) as caught:
        nemo.load({"model": {"optim": {"lr": 2.0, "sched": sched}}}, steps=9)
    (problem,) = caught.value.problems
    assert problem.path == "/model/optim/sched/d_model"
    assert problem.message == "'${model.d}' leads to nothing that can be read here"
