"""The scheduler: a position that moves, and its values in every parameter group."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Literal

from torch import Tensor
from torch.optim import Optimizer
from torch.optim.lr_scheduler import LRScheduler as _TorchLRScheduler

from lrspec.binding import ScheduleLike, as_curves
from lrspec_torch.hyperparameter import Hyperparameter
from lrspec_torch.loading import after_loading
from lrspec_torch.place import put
from lrspec_torch.state import fingerprint, position, whole


class LRScheduler(_TorchLRScheduler):
    """Drives an optimizer by a schedule document.

    `schedule` is a path, a `Document`, a mapping or a `Curve`; `facts` are the keywords of
    `Document.bind` (`steps`, `base`, `batch_size`, …), an error beside a `Curve`. Every name that
    the document schedules is driven: `lr` is `group["lr"]`, `momentum` is `group["momentum"]` or
    `betas[0]`, any other name is `group[name]`.

    *Position.* `last_epoch` is the number of updates done, the step whose rates are set now. The
    argument means what it means in torch: −1 starts at step 0, k−1 builds at step k, with no need
    of an optimizer state. Rates are set absolutely from the position and never read back: what else
    writes to a rate lasts until the next `step()`.

    *Rates.* A document without `base` states multiples of each group's own rate: of `initial_lr`,
    set from `lr` where it is absent and read once, when the scheduler is built, or at the first
    step after `add_param_group`. A scheduler that is built after the optimizer has loaded a state
    finds the `initial_lr` of that state; one that is built before keeps what it found, and puts it
    back. With a base every group gets the same rate. Groups whose own rates differ are then a
    ValueError, unless it is the host that gives `base=…`, which says so.
    A rate that is a tensor is filled in place, a float stays a float.

    *State.* `state_dict()` is `{"last_epoch": int, "fingerprint": str}`. Loading it sets the rates
    at once. A state from another schedule is a ValueError that names both fingerprints;
    `on_mismatch="adopt"` takes its position. The rates are set again whenever the optimizer has
    loaded a state, so that building and loading come to the same in any order.

    *Order.* Call `step()` after an update. Nothing warns about the order of calls: to find it out
    torch replaces `optimizer.step`, and it is wrong about updates that a gradient scaler skips.

    Errors: SpecError for the document and the facts; TypeError for what is no `Optimizer`;
    TypeError or ValueError for a position that is no whole number ≥ −1; ValueError for groups as
    above, for a name that no group has and for values that are no finite numbers.
    """

    def __init__(
        self,
        optimizer: Optimizer,
        schedule: ScheduleLike,
        *,
        last_epoch: int = -1,
        on_mismatch: Literal["error", "adopt"] = "error",
        **facts: Any,
    ) -> None:
        # The constructor of the base class is not called: all it would add is the replaced
        # optimizer.step (see Order above).
        if not isinstance(optimizer, Optimizer):  # pyright: ignore[reportUnnecessaryIsInstance]
            raise TypeError(f"{type(optimizer).__name__} is not a torch.optim.Optimizer")
        if on_mismatch not in ("error", "adopt"):
            raise ValueError(f"on_mismatch is 'error' or 'adopt', not {on_mismatch!r}")
        curves = as_curves(schedule, facts)
        self.optimizer = optimizer
        self.last_epoch = whole(last_epoch, -1, "last_epoch")
        self.on_mismatch = on_mismatch
        self.fingerprint = fingerprint(curves)
        self._scheduled = tuple(Hyperparameter(name, curve) for name, curve in curves.items())
        self._lr = next((each for each in self._scheduled if each.name == "lr"), None)
        self._meet()
        self.step()
        after_loading(optimizer, self._set_again)

    def step(self, epoch: int | None = None) -> None:
        """Move to the next step, or to step `epoch`, and set its rates.

        `step(k)` is the absolute form: calling it more than once for an update changes nothing.
        """
        step = self.last_epoch + 1 if epoch is None else whole(epoch, 0, "epoch")
        groups = self.optimizer.param_groups
        if len(groups) != self._met:
            self._meet()
        # A training pays for these loops at every step. Usually the groups have one factor and
        # hold floats; the keyword `strict` would cost as much as half of the rest for one group.
        for name, at, same, factors in self._plan:
            value = at(step)
            if same is not None:
                value *= same
                for group in groups:
                    if group[name].__class__ is float:
                        group[name] = value
                    else:
                        put(group, name, value)
                continue
            for group, factor in zip(groups, factors):  # noqa: B905
                if group[name].__class__ is float:
                    group[name] = value * factor
                else:
                    put(group, name, value * factor)
        for scheduled in self._scattered:
            scheduled.put(groups, step)
        self.last_epoch = step

    def get_last_lr(self) -> list[float | Tensor]:
        """The rates of the present step, one float a group, as computed: not read from the groups.

        Where the document does not schedule `lr` they are what the groups hold.
        """
        if self._lr is not None:
            return [*self._lr.values(max(self.last_epoch, 0))]
        return [_copy(group["lr"]) for group in self.optimizer.param_groups]

    def get_lr(self) -> list[float | Tensor]:
        """The same as `get_last_lr()`: there is one way to a rate."""
        return self.get_last_lr()

    def state_dict(self) -> dict[str, Any]:
        """The position and the fingerprint of the schedule: JSON types, whatever the groups."""
        return {"last_epoch": self.last_epoch, "fingerprint": self.fingerprint}

    def load_state_dict(self, state_dict: dict[str, Any]) -> None:
        """Go to the position of a state and set its rates; see the class for another schedule's."""
        adopt = self.on_mismatch == "adopt"
        rates = None if self._lr is None else self._lr.values
        self.last_epoch = position(state_dict, self.fingerprint, adopt=adopt, rates=rates)
        self._set_again()

    def __setstate__(self, state: dict[str, Any]) -> None:
        """After copying and unpickling: an optimizer loses its hooks on the way."""
        self.__dict__.update(state)
        after_loading(self.optimizer, self._set_again)

    def _set_again(self) -> None:
        # A scheduler that SequentialLR holds back is before its first step and sets nothing.
        if self.last_epoch >= 0:
            self.step(self.last_epoch)
            self._mark()

    def _meet(self) -> None:
        """Read what groups that are new have of their own, and lay out the work of a step."""
        groups = self.optimizer.param_groups
        for scheduled in self._scheduled:
            scheduled.meet(groups)
        # All are read before anything is written: an error leaves the optimizer as it was.
        self._mark()
        self._met = len(groups)
        self._plan: list[tuple[str, Callable[[int], float], float | None, list[float]]] = []
        self._scattered: list[Hyperparameter] = []
        for each in self._scheduled:
            if all(each.name in group for group in groups):
                same = each.factors[0] if len(set(each.factors)) == 1 else None
                # Calling the method itself costs a fifth less than calling the curve.
                self._plan.append((each.name, each.curve.__call__, same, each.factors))
            else:
                self._scattered.append(each)

    def _mark(self) -> None:
        for scheduled in self._scheduled:
            scheduled.mark(self.optimizer.param_groups)

    # What torch's own compositions and the wrappers of training loops ask of a scheduler.

    def _initial_step(self) -> None:
        self.step()

    def _update_lr(self, epoch: int | None = None) -> None:
        self.step(epoch)

    # torch keeps these as attributes, and is typed so; here they follow from the position.
    if not TYPE_CHECKING:  # pragma: no branch

        @property
        def base_lrs(self):
            """What 1 of the curve stands for in each group."""
            if self._lr is None:
                return self.get_last_lr()
            base = self._lr.curve.base
            return list(self._lr.factors) if base is None else [base] * len(self._lr.factors)

        @property
        def _last_lr(self):
            return self.get_last_lr()

        @property
        def _step_count(self):
            return self.last_epoch + 1

        @_step_count.setter
        def _step_count(self, _):
            """Wrappers count calls here (Accelerate under accumulation); no rate depends on it."""


def _copy(value: float | Tensor) -> float | Tensor:
    return value.clone() if isinstance(value, Tensor) else value
