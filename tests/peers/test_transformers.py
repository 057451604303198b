"""transformers: every kind that get_scheduler builds, stepped, gives what the document says."""

from __future__ import annotations

import dataclasses
import math
import warnings
from typing import Any

import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.peers.stepping import check, differing
from transformers import Seq2SeqTrainingArguments, get_scheduler
from transformers.trainer_utils import SchedulerType

from lrspec.importers.transformers import load
from lrspec.importers.transformers_schedules import NAMES
from lrspec.problems import SpecError

PARITY = settings(max_examples=100, deadline=None)

rates = st.floats(1e-5, 1.0)
lengths = st.integers(1, 60)
warmups = st.integers(0, 70) | st.sampled_from([0, 1, 2]) | st.floats(0.001, 0.999)
shares = st.just(0.0) | st.floats(0.001, 1.5)
waves = st.sampled_from([0.5, 0.5, 1, 1.5, 0, -0.5]) | st.floats(0.1, 4)
shapes = st.sampled_from(["linear", "cosine", "1-sqrt"])
low = st.one_of(
    st.fixed_dictionaries({"min_lr": st.just(0.0) | st.floats(1e-6, 0.5)}),
    st.fixed_dictionaries({"min_lr_rate": shares}),
)


def kwargs(**optional: st.SearchStrategy[Any]) -> st.SearchStrategy[dict[str, Any]]:
    """Arguments of a kind, given or not."""
    return st.fixed_dictionaries({}, optional=optional)


def merged(one: dict[str, Any], two: dict[str, Any]) -> dict[str, Any]:
    return {**one, **two}


def both(
    one: st.SearchStrategy[dict[str, Any]], two: st.SearchStrategy[dict[str, Any]]
) -> st.SearchStrategy[dict[str, Any]]:
    return st.builds(merged, one, two)


KINDS: dict[str, st.SearchStrategy[dict[str, Any]]] = {
    "constant": kwargs(),
    "constant_with_warmup": kwargs(),
    "linear": kwargs(),
    "cosine": kwargs(num_cycles=waves),
    "cosine_with_restarts": kwargs(num_cycles=st.integers(0, 6) | st.floats(0.1, 5)),
    "polynomial": kwargs(lr_end=st.floats(0, 9e-6), power=st.floats(0, 4) | st.just(1.0)),
    "inverse_sqrt": kwargs(timescale=st.integers(1, 100)),
    "cosine_with_min_lr": both(low, kwargs(num_cycles=waves)),
    "cosine_warmup_with_min_lr": both(low, kwargs(num_cycles=waves, warmup_lr_rate=shares)),
    "warmup_stable_decay": both(
        st.fixed_dictionaries({"num_decay_steps": st.integers(0, 9) | st.integers(0, 80)}),
        kwargs(
            num_stable_steps=st.integers(0, 40),
            warmup_type=shapes,
            decay_type=shapes,
            min_lr_ratio=shares,
            num_cycles=waves,
        ),
    ),
}


def values(config: dict[str, Any], count: int) -> list[float]:
    """What the library's scheduler gives at the steps 0, 1, …, as Trainer builds it."""
    total = config["max_steps"]
    given = config["warmup_steps"]
    warmup = int(given) if given >= 1 else math.ceil(total * given)
    optimizer = torch.optim.SGD([torch.zeros(1)], lr=config["learning_rate"])
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        scheduler: Any = get_scheduler(
            config["lr_scheduler_type"],
            optimizer,
            num_warmup_steps=warmup,
            num_training_steps=total,
            scheduler_specific_kwargs=dict(config["lr_scheduler_kwargs"]),
        )
        found = [scheduler.get_last_lr()[0]]
        while len(found) < count:
            scheduler.step()
            found.append(scheduler.get_last_lr()[0])
    return found


def configs(name: str) -> st.SearchStrategy[dict[str, Any]]:
    return st.fixed_dictionaries(
        {
            "lr_scheduler_type": st.just(name),
            "learning_rate": rates,
            "max_steps": lengths,
            "warmup_steps": warmups,
            "lr_scheduler_kwargs": KINDS[name],
        }
    )


def is_late(config: dict[str, Any], step: int) -> bool:
    """Whether a restart comes out a step late there, since (n·p) mod 1 is rounded to just below 1
    and not to 0."""
    if config["lr_scheduler_type"] != "cosine_with_restarts":
        return False
    given = config["warmup_steps"]
    warmup = int(given) if given >= 1 else math.ceil(config["max_steps"] * given)
    progress = (step - warmup) / max(1, config["max_steps"] - warmup)
    cycles = float(config["lr_scheduler_kwargs"].get("num_cycles", 1))
    return bool(cycles * progress % 1 > 1 - 1e-9)


def test_every_kind_is_here() -> None:
    assert set(KINDS) == set(NAMES)
    assert {kind.value for kind in SchedulerType} == {*NAMES, "reduce_lr_on_plateau", "greedy"}


@pytest.mark.parametrize("name", KINDS)
def test_every_kind(name: str) -> None:
    @PARITY
    @given(configs(name))
    def parity(config: dict[str, Any]) -> None:
        count = config["max_steps"] + 25
        try:
            found = values(config, count)
        except ZeroDivisionError:
            with pytest.raises(SpecError):
                load(config)
            return
        document = load(config)
        off = [entry for entry in differing(document, found) if not is_late(config, entry[0])]
        assert not off, f"{off}\n{document.to_yaml()}"

    parity()


# The smallest configuration, the steps at which the document has something else, and why.
DEVIATIONS: list[tuple[dict[str, Any], list[int], str]] = [
    (
        {
            "lr_scheduler_type": "cosine_with_restarts",
            "learning_rate": 1.0,
            "max_steps": 49,
            "warmup_steps": 0,
            "lr_scheduler_kwargs": {"num_cycles": 49},
        },
        [1, 2, 4, 8, 16, 27, 32],
        "s·49/49 is computed as 49·(s/49), which is just below s there: 0 in place of a restart",
    ),
]


@pytest.mark.parametrize(("config", "steps", "why"), DEVIATIONS)
def test_deviations(config: dict[str, Any], steps: list[int], why: str) -> None:
    off = differing(load(config), values(config, config["max_steps"] + 25))
    assert [entry[0] for entry in off] == steps, why


@pytest.mark.parametrize("name", ["reduce_lr_on_plateau", "greedy"])
def test_what_follows_a_metric_is_refused(name: str) -> None:
    with pytest.raises(SpecError, match="follows a metric"):
        load({"lr_scheduler_type": name, "max_steps": 10})


def test_no_argument_of_the_library_is_taken_for_a_misspelling() -> None:
    names = [field.name for field in dataclasses.fields(Seq2SeqTrainingArguments)]
    of_schedule = {"lr_scheduler_type", "lr_scheduler_kwargs", "max_steps"}
    assert of_schedule < set(names)
    others = {name: 1 for name in names if name not in of_schedule}
    assert load({**others, "optim_args": "x=1", "max_steps": 10}).bind().steps == 10


def test_arguments_as_the_library_writes_them() -> None:
    arguments = Seq2SeqTrainingArguments(
        output_dir="out",
        use_cpu=True,
        max_steps=50,
        warmup_steps=0.07,
        lr_scheduler_type="cosine_with_min_lr",
        lr_scheduler_kwargs={"min_lr_rate": 0.1},
    )
    config = {
        "learning_rate": 5e-5,
        "max_steps": 50,
        "warmup_steps": 0.07,
        "lr_scheduler_type": "cosine_with_min_lr",
        "lr_scheduler_kwargs": {"min_lr_rate": 0.1},
    }
    check(load(arguments.to_dict()), values(config, 60))
