"""The parameters of ignite's schedulers, and of those of torch inside them, in their order."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

WARMUP = "create_lr_scheduler_with_warmup"
_OWN = ("optimizer", "param_name")
_CYCLE = (
    *(*_OWN, "start_value", "end_value", "cycle_size", "cycle_mult", "start_value_mult"),
    *("end_value_mult", "warmup_duration"),
)
SIGNATURES: Mapping[str, Sequence[str]] = {
    "LinearCyclicalScheduler": (*_CYCLE[:-1], "save_history", "param_group_index"),
    "CosineAnnealingScheduler": _CYCLE,
    "PiecewiseLinear": (*_OWN, "milestones_values"),
    "ConcatScheduler": ("schedulers", "durations"),
    "LRScheduler": ("lr_scheduler", "save_history", "use_legacy"),
    WARMUP: ("lr_scheduler", "warmup_start_value", "warmup_duration", "warmup_end_value"),
    "StepLR": ("optimizer", "step_size", "gamma"),
    "MultiStepLR": ("optimizer", "milestones", "gamma"),
    "ConstantLR": ("optimizer", "factor", "total_iters"),
    "LinearLR": ("optimizer", "start_factor", "end_factor", "total_iters"),
    "ExponentialLR": ("optimizer", "gamma"),
    "PolynomialLR": ("optimizer", "total_iters", "power"),
    "CosineAnnealingLR": ("optimizer", "T_max", "eta_min"),
    "CosineAnnealingWarmRestarts": ("optimizer", "T_0", "T_mult", "eta_min"),
    "CyclicLR": ("optimizer", "base_lr", "max_lr", "step_size_up", "step_size_down", "mode"),
    "OneCycleLR": ("optimizer", "max_lr", "total_steps", "epochs", "steps_per_epoch", "pct_start"),
}
