"""One scheduled hyperparameter: its curve, and what each parameter group had of its own."""

from __future__ import annotations

from collections.abc import Sequence
from difflib import get_close_matches

from torch import Tensor

from lrspec.curve import Curve
from lrspec_torch.place import Group, held, holds, number, put

# A message names so many groups and gives the number of the others.
_SHOWN = 8


class Hyperparameter:
    """`curve` for the values of `name` in the parameter groups of one optimizer.

    At step k a group has curve(k) · factor. The factor is 1 where the curve has a base; without
    one it is what the group had of its own: `initial_<name>`, or where that is absent the value
    found. It is read once, when the group is met, and never again.

    Errors: ValueError when no group has the hyperparameter, when what a group has is not a finite
    number, when the document states a base and the groups differ in what they have of their own,
    when groups with different factors share one tensor, and when groups were taken away.
    """

    __slots__ = ("curve", "factors", "name", "own")

    def __init__(self, name: str, curve: Curve) -> None:
        self.name = name
        self.curve = curve
        self.own: list[float | None] = []
        self.factors: list[float] = []

    def values(self, step: int) -> list[float]:
        """What the groups that have been met get at `step`."""
        value = self.curve(step)
        return [value * factor for factor in self.factors]

    def put(self, groups: Sequence[Group], step: int) -> None:
        """Set the value of `step` in every group that has the hyperparameter, wherever there."""
        for group, value in zip(groups, self.values(step), strict=True):
            put(group, self.name, value)

    def meet(self, groups: Sequence[Group]) -> None:
        """Read what the groups that are new have of their own."""
        if len(groups) < len(self.own):
            raise ValueError(
                f"the optimizer has {len(groups)} parameter groups where there were "
                f"{len(self.own)}; build a new scheduler after taking groups away"
            )
        own = list(self.own)
        for index in range(len(own), len(groups)):
            own.append(self._own(groups, index, own))
        if all(value is None for value in own):
            raise ValueError(self._nowhere(groups))
        if self.curve.base is None:
            factors = [1.0 if value is None else value for value in own]
            self._check_apart(groups, factors)
        else:
            factors = [1.0] * len(groups)
            self._check_alike(own)
        self.own, self.factors = own, factors

    def mark(self, groups: Sequence[Group]) -> None:
        """Leave what each group had of its own in the group, as torch does, for checkpoints."""
        for group, value in zip(groups, self.own, strict=True):
            if value is not None:
                group[self._initial] = value

    @property
    def _initial(self) -> str:
        return f"initial_{self.name}"

    def _own(self, groups: Sequence[Group], index: int, own: list[float | None]) -> float | None:
        group = groups[index]
        if not holds(group, self.name):
            return None
        value = held(group, self.name)
        if self._initial in group:
            value = group[self._initial]
        elif (twin := _twin(groups, index, self.name)) is not None:
            # A tensor that an earlier group is driven by holds a scheduled value, not its own.
            value = own[twin]
        found = number(value)
        if found is None:
            raise ValueError(
                f"parameter group {index} has {self.name} {value!r}, which is not a finite number"
            )
        return found

    def _nowhere(self, groups: Sequence[Group]) -> str:
        keys = sorted({key for group in groups for key in group if number(group[key]) is not None})
        close = get_close_matches(self.name, keys, n=1)
        hint = f"did you mean {close[0]!r}?" if close else f"they have {', '.join(keys)}"
        return f"no parameter group has {self.name!r}, which the document schedules; {hint}"

    def _check_alike(self, own: list[float | None]) -> None:
        """A base is one value for all; only the host may say so over groups that differ."""
        values = {index: value for index, value in enumerate(own) if value is not None}
        if len(set(values.values())) == 1 or self.curve.facts.get("base") is not None:
            return
        shown = [f"group {index}: {value!r}" for index, value in values.items()]
        if len(shown) > _SHOWN:
            shown[_SHOWN:] = [f"{len(shown) - _SHOWN} more"]
        raise ValueError(
            f"with a base every parameter group gets the same {self.name}, but the groups have "
            f"different ones of their own ({', '.join(shown)}); leave `base` out of the document "
            f"to schedule multiples of each group's own, or give the groups the same one"
        )

    def _check_apart(self, groups: Sequence[Group], factors: list[float]) -> None:
        for index, factor in enumerate(factors):
            twin = _twin(groups, index, self.name)
            if twin is not None and factors[twin] != factor:
                raise ValueError(
                    f"parameter groups {twin} and {index} share one {self.name} tensor, but differ "
                    f"in what they have of their own ({factors[twin]!r} and {factor!r}); give each "
                    f"group a tensor of its own"
                )


def _twin(groups: Sequence[Group], index: int, name: str) -> int | None:
    """The first group before `index` whose value is the same tensor object."""
    if not holds(groups[index], name) or not isinstance(value := held(groups[index], name), Tensor):
        return None
    for before in range(index):
        if holds(groups[before], name) and held(groups[before], name) is value:
            return before
    return None
