"""What hypothesis draws about a run: its axis, the facts that are known, and quantities in every
unit that they allow."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import accumulate
from typing import Any

from hypothesis import strategies as st

UNITS = ("steps", "epochs", "samples", "tokens")


@dataclass(frozen=True)
class Run:
    """The root keys of a document beside its schedule; a fact that is not known is None."""

    axis: str
    sample: str
    rounding: str
    steps: int | None
    batches: tuple[tuple[int, int], ...] | None
    sequence_length: int | None
    steps_per_epoch: float | None

    @property
    def units(self) -> tuple[str, ...]:
        """The units that can be converted to the axis."""
        known = {
            "steps": True,
            "epochs": self.steps_per_epoch is not None,
            "samples": self.batches is not None,
            "tokens": self.batches is not None and self.sequence_length is not None,
        }
        return tuple(unit for unit in UNITS if known[unit])

    @property
    def proportional(self) -> tuple[str, ...]:
        """The units that are a fixed length along the axis."""
        if self.batches is None or len(self.batches) == 1:
            return self.units
        family = UNITS[:2] if self.axis == "steps" else UNITS[2:]
        return tuple(unit for unit in self.units if unit in family)

    def samples(self, steps: int) -> int:
        """What is consumed before a step."""
        assert self.batches is not None
        starts = [start for start, _ in self.batches]
        stops = [*starts[1:], steps]
        rows = zip(starts, stops, self.batches, strict=True)
        return sum(
            (min(stop, steps) - start) * size for start, stop, (_, size) in rows if start < steps
        )

    def amount(self, steps: int, unit: str) -> str:
        """About so many steps as text in `unit`."""
        if unit == "steps":
            return f"{steps} steps"
        if unit == "epochs":
            assert self.steps_per_epoch is not None
            return f"{steps / self.steps_per_epoch:.2f} epochs"
        samples = self.samples(steps)
        if unit == "samples":
            return f"{samples} samples"
        assert self.sequence_length is not None
        return f"{samples * self.sequence_length / 1000}k tokens"

    def facts(self) -> dict[str, Any]:
        """The facts by their names in a document."""
        rows = self.batches
        batches: Any = None
        if rows is not None:
            batches = [{"start": start, "value": size} for start, size in rows]
            if len(rows) == 1:
                batches = rows[0][1]
        facts = {
            "steps": self.steps,
            "batch_size": batches,
            "sequence_length": self.sequence_length,
            "steps_per_epoch": self.steps_per_epoch,
        }
        return {name: fact for name, fact in facts.items() if fact is not None}


def batch_schedules() -> st.SearchStrategy[tuple[tuple[int, int], ...]]:
    """A batch size, or one that changes up to three times, within the steps of most runs."""
    sizes = st.sampled_from([1, 2, 3, 8, 32, 1000])
    starts = st.lists(st.integers(1, 60), max_size=3, unique=True).map(sorted)
    return starts.flatmap(
        lambda later: st.tuples(*[sizes] * (len(later) + 1)).map(
            lambda drawn: tuple(zip([0, *later], drawn, strict=True))
        )
    )


@st.composite
def runs(draw: st.DrawFn) -> Run:
    """A run along any axis, the facts that the axis needs and some that it does not."""
    axis = draw(st.sampled_from(["steps", "steps", "steps", "samples", "tokens"]))
    needed = axis != "steps"
    batches = draw(batch_schedules()) if needed or draw(st.booleans()) else None
    length = st.sampled_from([1, 7, 512, 4096])
    return Run(
        axis=axis,
        sample=draw(st.sampled_from(["start", "start", "middle", "end"])),
        rounding=draw(st.sampled_from(["none", "none", "floor", "ceil", "nearest"]))
        if axis == "steps"
        else "none",
        steps=draw(st.one_of(st.integers(1, 200), st.none(), st.just(100))),
        batches=batches,
        sequence_length=draw(length) if axis == "tokens" or draw(st.booleans()) else None,
        steps_per_epoch=draw(st.sampled_from([None, 1, 7, 10.5, 33.3])),
    )


def choices(units: tuple[str, ...], ruler: int | None) -> tuple[str, ...]:
    """The units to write in: percent where there is a ruler, steps also as a bare number."""
    return (*units, *(["", ""] if "steps" in units else []), *(["%"] if ruler else []))


def written(run: Run, steps: int, unit: str, ruler: int | None) -> int | str:
    """About so many steps in a unit; a number without one."""
    if unit == "":
        return steps
    if unit == "%":
        assert ruler
        return f"{100 * steps / ruler:.2f}%"
    return run.amount(steps, unit)


def length(
    draw: st.DrawFn, run: Run, steps: int, units: tuple[str, ...], ruler: int | None
) -> int | str:
    """About so many steps, in one of the units, or of the ruler's steps in percent."""
    unit = draw(st.sampled_from(choices(units, ruler)))
    if unit == "steps" and draw(st.booleans()):
        return f"{steps}.25 steps"
    return written(run, steps, unit, ruler)


def boundaries(
    draw: st.DrawFn, run: Run, most: int, units: tuple[str, ...], ruler: int | None
) -> list[int | str]:
    """Positions that increase: in one unit, or further apart and each in its own."""
    mixed = draw(st.booleans())
    least = 3 if mixed else 1
    number = draw(st.integers(1, 5))
    gap = st.integers(least, max(most // number, least))
    places = list(accumulate(draw(st.tuples(st.integers(0, 3), *[gap] * (number - 1)))))
    unit = st.sampled_from(choices(units, ruler))
    if not mixed:
        unit = st.just(draw(unit))
    return [written(run, place, draw(unit), ruler) for place in places]
