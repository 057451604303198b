"""What the figures were measured with: ratios travel well between machines, but not perfectly."""

from __future__ import annotations

import os
import platform
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

_PACKAGES = ("lrspec", "torch", "jax", "optax", "keras", "jsonschema", "PyYAML")


def describe() -> dict[str, str]:
    """Processor, system, Python and the packages in question, each with its version."""
    return {
        "processor": f"{_processor()}, {os.cpu_count()} cores",
        "system": platform.platform(terse=True),
        "Python": platform.python_version(),
        **{name: found for name in _PACKAGES if (found := _version(name)) is not None},
    }


def _version(name: str) -> str | None:
    try:
        return version(name)
    except PackageNotFoundError:
        return None


def _processor() -> str:
    try:
        lines = Path("/proc/cpuinfo").read_text().splitlines()
    except OSError:
        lines = []
    models = (line.partition(":")[2].strip() for line in lines if line.startswith("model name"))
    return next(models, platform.processor() or platform.machine())
