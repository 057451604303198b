"""The lengths of Megatron-LM's arguments: in iterations, or in samples with a growing batch."""

from __future__ import annotations

from dataclasses import dataclass
from math import ceil
from typing import Any

from lrspec.importing.config import Config
from lrspec.importing.nodes import Length, percent, plain, steps
from lrspec.importing.run import Run

_LENGTHS = ("lr_warmup", "lr_decay", "lr_wsd_decay")
KEYS = (
    *(f"{name}_{unit}" for name in _LENGTHS for unit in ("iters", "samples")),
    *("train_iters", "train_samples", "lr_warmup_fraction", "global_batch_size"),
    *("rampup_batch_size", "seq_length"),
)
# More sizes of the batch than this are a mistake.
_MOST_SIZES = 10_000


@dataclass(frozen=True)
class Clock:
    """Lengths in steps or in samples; `total` is the run's, `decay` that of the decay."""

    axis: str
    warmup: float
    warmup_span: Length
    decay: float | None
    total: int | None
    batch: Any

    @property
    def suffix(self) -> str:
        """What the names of the arguments end with."""
        return "iters" if self.axis == "steps" else "samples"

    @property
    def steps(self) -> int | str | None:
        """The length of the run, as a document states it."""
        return self.total if self.axis == "steps" or self.total is None else self.span(self.total)

    @property
    def facts(self) -> dict[str, Any]:
        """What a document needs beside the length: the batch, where it counts samples."""
        return {} if self.axis == "steps" else {"batch_size": self.batch}

    def span(self, length: float) -> int | str:
        """A length as a document states it."""
        if self.axis == "steps":
            return steps(length)
        return "1 sample" if length == 1 else f"{plain(length)} samples"

    def length_to(self, end: float) -> Length:
        """The length from a warmup of whole steps to `end`; none where that is the run's."""
        whole = self.warmup == int(self.warmup)
        return self.span(end - self.warmup) if whole and not self.is_end(end) else None

    def until(self, end: float) -> Length:
        """`end` after another warmup."""
        whole = self.warmup == int(self.warmup)
        return None if whole or self.is_end(end) else self.span(end)

    def is_end(self, end: float) -> bool:
        """Whether the run ends there: of samples only where the last batch is a whole one."""
        if self.axis == "samples" and (
            not isinstance(self.batch, int) or end != int(end) or int(end) % self.batch
        ):
            return False
        return end == self.total

    def needs_batch(self, run: Run) -> int:
        """The samples of the first step."""
        if self.axis != "steps":
            return 1
        if not isinstance(self.batch, int):
            run.missing("batch_size", "global_batch_size", "without a warmup samples are counted")
        return self.batch


def clock_of(config: Config, training: Config, run: Run, *, needs_total: bool) -> Clock:
    """The lengths in `config`, of a run in `training`."""
    by_samples = any(
        part.raw(key, None) for part in (config, training) for key in KEYS if "_samples" in key
    )
    kept, other = ("samples", "iters") if by_samples else ("iters", "samples")
    for name in _LENGTHS:
        if by_samples and config.optional_number(f"{name}_{other}"):
            config.conflict(f"{name}_{other}", f"{name}_{kept}")
    config.ignore(*KEYS)
    batch = _batch(training, run, is_needed=by_samples)
    if "rampup_batch_size" in training:
        if not by_samples:
            training.fail(
                "conflicting-fields",
                "a batch that grows needs train_samples: Megatron-LM stops here",
                "rampup_batch_size",
                hint="count the run in samples, or leave rampup_batch_size out",
            )
        batch = _growing(training, run, batch)
    if by_samples:
        if "train_iters" in training:
            training.conflict("train_iters", "train_samples")
        total = training.optional_whole("train_samples", least=1)
    else:
        why = "the weight decay grows over the whole run"
        total = (
            run.needs_steps(training, "train_iters", why=why)
            if needs_total
            else run.steps(training, "train_iters")
        )
    decay = config.optional_whole(f"lr_decay_{kept}", least=1)
    decay = total if decay is None else decay
    warmup: float = config.whole(f"lr_warmup_{kept}", 0)
    clock = Clock("samples" if by_samples else "steps", warmup, None, decay, total, batch)
    span: Length = clock.span(warmup)
    fraction = config.optional_number("lr_warmup_fraction", least=0, most=1)
    if fraction is not None:
        if warmup:
            config.conflict(f"lr_warmup_{kept}", "lr_warmup_fraction")
        if decay is None:
            run.missing("steps", "train_iters", "lr_warmup_fraction is a share of the decay")
        warmup = fraction * decay
        span = percent(fraction) if clock.is_end(decay) else clock.span(warmup)
        run.say(f"The warmup is {fraction:g} of the {decay} {clock.axis} of the decay, unrounded.")
    return Clock(clock.axis, warmup, span, decay, total, batch)


def _batch(config: Config, run: Run, *, is_needed: bool) -> Any:
    """The samples of a step. Where iterations are counted it may be what only a script knows."""
    key = "global_batch_size"
    given = config.raw(key, None)
    if not is_needed and isinstance(given, str) and "$" in given:
        return run.batch_size()
    return run.batch_size(config, key)


def _growing(config: Config, run: Run, final: Any) -> list[dict[str, int]]:
    """`--rampup-batch-size FIRST STEP SAMPLES`: the sizes of the batch, by their first step."""
    if not isinstance(final, int):
        run.missing("batch_size", "global_batch_size", "the batch grows to global_batch_size")
    values = config.wholes("rampup_batch_size")
    if len(values) != 3:
        message = "rampup_batch_size is the first size, the increment and the samples"
        config.fail("wrong-value", message, "rampup_batch_size")
    first, step, samples = values
    if not (1 <= first <= final and step >= 1 and (final - first) % step == 0):
        message = "the batch does not grow from its first size to global_batch_size"
        config.fail("wrong-value", message, "rampup_batch_size")
    count = (final - first) // step
    if count > _MOST_SIZES:
        config.fail("out-of-range", f"the batch has more than {_MOST_SIZES} sizes")
    found: list[dict[str, int]] = []
    consumed = start = 0
    for index in range(count):
        size = first + index * step
        steps_ = ceil(((index + 1) * (samples / count) - consumed) / size)
        if steps_ > 0:
            found.append({"start": start, "value": size})
            start += steps_
            consumed += steps_ * size
    return [*found, {"start": start, "value": final}]
