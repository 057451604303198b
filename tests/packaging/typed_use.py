"""How the installed packages look to the type checker of who uses them; checked, never run."""

from __future__ import annotations

from array import array
from typing import assert_type

import jax
import optax
import torch

import lrspec
import lrspec_keras
import lrspec_optax
import lrspec_torch

document = lrspec.load("schedule.lrspec.yaml")
assert_type(document, lrspec.Document)
assert_type(lrspec.loads("lrspec: 1"), lrspec.Document)
assert_type(lrspec.from_dict({"lrspec": 1}), lrspec.Document)
assert_type(document.names, tuple[str, ...])
assert_type(document.to_yaml(), str)

curve = document.bind(steps=100, base=0.1, name="lr", override=True)
assert_type(curve, lrspec.Curve)
assert_type(curve(3), float)
assert_type(curve.values(0, 10, 2), array[float])
assert_type(curve.fingerprint, str)
assert_type(curve.phases()[0].kind, str)

optimizer = torch.optim.SGD([torch.zeros(1)])
scheduler = lrspec_torch.LRScheduler(optimizer, document, last_epoch=4, steps=100)
native: torch.optim.lr_scheduler.LRScheduler = scheduler

schedule: optax.Schedule = lrspec_optax.schedule(curve)
assert_type(lrspec_optax.schedule("schedule.lrspec.yaml", steps=100)(3), jax.Array)

rate = lrspec_keras.LearningRateSchedule({"lrspec": 1}, steps=100)
assert_type(rate, lrspec_keras.LearningRateSchedule)

try:
    lrspec.load("schedule.lrspec.yaml")
except lrspec.SpecError as error:
    assert_type(error.problems, tuple[lrspec.Problem, ...])
