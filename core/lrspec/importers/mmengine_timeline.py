"""Laying the schedulers of mmengine on the run: one after the other, or as a product."""

from __future__ import annotations

import math

from lrspec.importers.mmengine_classes import CLIMBS, Range, Scheduler
from lrspec.importing.nodes import Schedule, constant, product
from lrspec.importing.run import Run
from lrspec.importing.sequence import stages


class Timeline:
    """The run as a list of stages; `rate` is what the optimizer has of the hyperparameter."""

    def __init__(self, run: Run, rate: float, steps: int | None) -> None:
        self.run = run
        self.rate = rate
        self.steps = steps
        self.per_epoch: float | None = None

    def schedule(self, schedulers: list[Scheduler]) -> Schedule:
        """The schedule that the schedulers make together."""
        acting = [each for each in schedulers if each.jumps is None or each.jumps]
        schedulers = acting or schedulers[:1]
        if len({scheduler.range.by_epoch for scheduler in schedulers}) > 1:
            why = "to tell where ranges in epochs and in updates meet takes the steps of an epoch"
            self.per_epoch = self.run.steps_per_epoch(why=why)
        setting = [scheduler for scheduler in schedulers if scheduler.changes == "sets"]
        for scheduler in setting:
            if scheduler.name == "OneCycleLR" and len(setting) > 1:
                scheduler.config.refuse("several schedulers share the rates of OneCycleLR")
        ordered = sorted(schedulers, key=lambda each: self._at(each.range, each.range.begin))
        if not self._overlap(ordered):
            return self._laid(ordered, self.rate)
        for scheduler in ordered:
            if scheduler.changes != "times":
                scheduler.config.refuse(
                    f"the range of {scheduler.name} overlaps with another, and its target makes of"
                    " both a recursion that is no product"
                )
            # Where a cosine climbs again, it does so by the rate of the optimizer alone.
            if scheduler.climbs is not None and not 0 < (self.steps or 0) <= scheduler.climbs:
                scheduler.config.refuse(CLIMBS, "T_max")
        self.run.say("The ranges of several schedulers overlap; their factors are multiplied.")
        factors = [
            self._laid([scheduler], self.rate if index == 0 else 1.0)
            for index, scheduler in enumerate(ordered)
        ]
        return product(*factors)

    def _at(self, range_: Range, position: float) -> float:
        """A position of a range, in updates where both units occur."""
        if range_.by_epoch and self.per_epoch is not None:
            return position * self.per_epoch
        return position

    def _overlap(self, ordered: list[Scheduler]) -> bool:
        """Whether one begins to change something before the one before it has ended."""
        reached = 0.0
        for scheduler in ordered:
            range_ = scheduler.range
            # A MultiStepLR without a change so far may as well begin at its first one.
            quiet = 0 if scheduler.jumps is None else min(scheduler.jumps, default=range_.length)
            if self._at(range_, range_.begin + quiet) < reached:
                return True
            reached = max(reached, self._at(range_, range_.end))
        return False

    def _laid(self, ordered: list[Scheduler], rate: float) -> Schedule:
        lane = _Lane(rate)
        for index, scheduler in enumerate(ordered):
            last = index == len(ordered) - 1
            lane.put(scheduler, self.steps or 0 if last else math.inf)
        return stages(*lane.parts)


class _Lane:
    """Stages so far: where they end, in the unit of what stands last, and the value there."""

    def __init__(self, rate: float) -> None:
        self.parts: list[Schedule] = []
        self.value = rate
        self.end = 0
        self.by_epoch: bool | None = None

    def put(self, scheduler: Scheduler, goes: float) -> None:
        """The scheduler after what there is; `goes` is how far the run goes after it."""
        range_ = scheduler.range
        if scheduler.jumps is None:
            self._hold(range_)
        pieces = scheduler.make(self.value, goes)
        self._append(pieces.schedule)
        self.value = pieces.left
        self.end = range_.begin + (pieces.length or 0)
        self.by_epoch = range_.by_epoch

    def _hold(self, range_: Range) -> None:
        """Stay at the value as far as the beginning of a range."""
        if self.by_epoch is None or self.by_epoch == range_.by_epoch:
            if (length := range_.begin - self.end) > 0:
                self._append(constant(self.value, range_.span(length)))
        else:
            self._append(constant(self.value, until=range_.span(range_.begin)))

    def _append(self, part: Schedule) -> None:
        self.parts += part if isinstance(part, list) else [part]
