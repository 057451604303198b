"""Levanter's `train_batch_size`: a number, or a list of steps and sizes (levanter/schedule.py)."""

from __future__ import annotations

from typing import Any

from lrspec.importing.config import Config
from lrspec.importing.run import Run


def batch_schedule(config: Config, run: Run) -> Any:
    """The samples of one step, as a document states them; None where neither the configuration nor
    the caller says."""
    if not isinstance(config.raw("train_batch_size", None), list):
        return run.batch_size(config, "train_batch_size")
    found: list[dict[str, int]] = []
    for section in config.sections("train_batch_size"):
        start, value = section.whole("start"), section.whole("value", least=1)
        section.done()
        if not found and start != 0:
            section.fail("out-of-range", f"the first start is 0, found {start}", "start")
        if found and start <= found[-1]["start"]:
            section.fail("out-of-range", f"the starts rise; {start} does not", "start")
        found.append({"start": start, "value": value})
    if not found:
        config.fail("too-few-items", "a batch schedule has at least one step", "train_batch_size")
    given = run.facts.get("batch_size")
    if given is not None and given != found:
        message = "batch_size is one thing in the configuration and another here"
        config.fail("conflicting-fact", message, "train_batch_size")
    return found
