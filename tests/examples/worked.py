"""The examples by hand: at named steps, the rate as a formula in plain Python or as a number."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from math import cos, exp, log, pi, sqrt
from pathlib import Path
from typing import Any

from lrspec.curve import Curve
from lrspec.loading import load

FOLDER = Path(__file__).parents[2] / "examples"


@dataclass(frozen=True)
class Worked:
    """One curve of an example: the facts that its document leaves to the run, and its values."""

    example: str
    at: Mapping[int, float]
    steps: int | None  # the horizon that binding should find
    facts: Mapping[str, Any] = field(default_factory=dict[str, Any])
    name: str = "lr"

    def curve(self) -> Curve:
        """The schedule of the document, bound to the facts."""
        document = load(FOLDER / f"{self.example}.lrspec.yaml")
        return document.bind(**self.facts, name=self.name)

    def __str__(self) -> str:
        return self.example if self.name == "lr" else f"{self.example}-{self.name}"


def cosine(initial: float, final: float, done: float) -> float:
    """Half a cosine, as books write it."""
    return final + (initial - final) * (1 + cos(pi * done)) / 2


def tokens(step: int, *batches: tuple[int, int], length: int) -> int:
    """Tokens of the updates before `step`, for batches given as (first update, sequences)."""
    ends = [start for start, _ in batches[1:]] + [step]
    spans = zip(batches, ends, strict=True)
    return sum(max(min(end, step) - start, 0) * size for (start, size), end in spans) * length


POWER = ((0, 256), (20000, 512), (60000, 1024))
RAMP = ((0, 48), (4000, 96), (8000, 192), (12000, 384), (16000, 768), (20000, 1536))


def power(step: int) -> float:
    """`Batch * 4.6 * tokens^-0.51` of the power scheduler, without its peak."""
    batch = max(size for start, size in POWER if start <= step)
    return float(batch * 4.6 * tokens(step, *POWER, length=4096) ** -0.51)


def annealed(step: int) -> float:
    """Straight in the logarithm, over the last tenth of the tokens of 130,368 updates."""
    run = tokens(130368, *POWER, length=4096)
    peak = 1024 * 4.6 * (0.9 * run) ** -0.51
    done = (tokens(step, *POWER, length=4096) - 0.9 * run) / (0.1 * run)
    return exp(log(peak) + (log(2e-5) - log(peak)) * done)


def gpt(step: int) -> float:
    """GPT-3's cosine from the 375 millionth to the 260 billionth token."""
    return cosine(6e-5, 6e-6, (tokens(step, *RAMP, length=2048) - 375e6) / (260e9 - 375e6))


WORKED = (
    Worked(
        "production",
        {
            0: 1e-5,
            39601: 1e-5 + (4e-3 - 1e-5) * 39601 / 39601.8,
            39602: 4e-3 - (4e-3 - 1e-5) * 0.2 / 39601.8,
            79203: 1e-5 + (4e-3 - 1e-5) * 0.6 / 39601.8,
            79204: 1e-5 - 9e-6 * 0.4 / 8800.4,
            88003: 1e-6 + 9e-6 / 8800.4,
            88004: 1e-6,
            100000: 1e-6,
        },
        steps=88004,
    ),
    Worked(
        "warmup-cosine",
        {
            0: 0,
            1: 1.5e-7,
            1000: 1.5e-4,
            2000: 3e-4,
            51000: 1.65e-4,
            75500: cosine(3e-4, 3e-5, 0.75),
            100000: 3e-5,
        },
        steps=100000,
    ),
    Worked(
        "warmup-hold-cosine",
        {0: 0, 1000: 1.5e-4, 2000: 3e-4, 79999: 3e-4, 80000: 3e-4, 90000: 1.65e-4, 100000: 3e-5},
        steps=100000,
    ),
    Worked(
        "wsd",
        {
            0: 0,
            150: 5e-4,
            300: 1e-3,
            40000: 1e-3,
            40100: 9e-4,
            42500: 5e-4,
            45000: 1e-3 * (1 - sqrt(0.5)),
            50000: 0,
        },
        steps=50000,
    ),
    Worked(
        "one-cycle",
        {
            0: 4e-3,
            1173: cosine(4e-3, 0.1, 1 / 3),
            3519: 0.1,
            7038: cosine(0.1, 4e-7, 3 / 7),
            11730: 4e-7,
        },
        steps=11730,
    ),
    Worked(
        "one-cycle",
        {0: 0.95, 1173: 0.925, 3519: 0.85, 7038: cosine(0.85, 0.95, 3 / 7), 11730: 0.95},
        steps=11730,
        name="momentum",
    ),
    Worked(
        "restarts-falling",
        {
            0: 0,
            500: 5e-5,
            1000: 1e-4,
            11000: 5.05e-5,
            21000: 1e-6 + 99e-6 / 2,
            31000: 1e-6 + 99e-6 / 4,
            41000: 1e-6 + 99e-6 / 4,
            61000: 1e-6 + 99e-6 / 8,
            71000: 1e-6 + 99e-6 / 16,
            81000: 1e-6,
        },
        steps=81000,
    ),
    Worked(
        "restarts-stretching",
        {
            0: 0.05,
            1955: 0.025,
            3909: cosine(0.05, 0, 3909 / 3910),
            3910: 0.05,
            7820: 0.025,
            11730: 0.05,
            19550: 0.025,
            27370: 0.05,
            43010: 0.025,
            58650: 0.05,  # a fifth period would begin here
        },
        steps=58650,
    ),
    Worked(
        "noam",
        {
            step - 1: 512**-0.5 * min(step**-0.5, step * 4000**-1.5)
            for step in (1, 2, 3999, 4000, 4001, 16000, 100000)
        },
        steps=100000,
    ),
    Worked(
        "inverse-sqrt",
        {
            0: 1e-7,
            2000: (1e-7 + 5e-4) / 2,
            4000: 5e-4,
            16000: 2.5e-4,
            400000: 5e-5,
            40_000_000_000: 5e-4 / sqrt(10_000_000),
        },
        steps=None,
    ),
    Worked(
        "infinite",
        {
            500: 1.5e-4,
            1000: 3e-4,
            26000: 2.325e-4,
            51000: 1.65e-4,
            180000: 1.65e-4,
            190000: sqrt(1.65e-4 * 3e-5),
            200000: 3e-5,
        },
        steps=200000,
        facts={"steps": 200000},
    ),
    Worked(
        "infinite",
        {1000: 3e-4, 51000: 1.65e-4, 180000: 1.65e-4, 280000: 1.65e-4, 300000: 3e-5},
        steps=300000,
        facts={"steps": 300000},
    ),
    Worked(
        "power",
        {
            0: 0,
            1000: 0.02 * 1000 * 256 * 4096 / 2e9,
            2000: 0.02,  # the peak: the power is above it for a while yet
            2149: 0.02,
            2150: power(2150),
            19999: power(19999),
            20000: power(20000),
            60000: power(60000),
            120831: power(120831),
            120832: annealed(120832),
            125600: annealed(125600),
            130368: 2e-5,
        },
        steps=130368,
    ),
    Worked(
        "staged",
        {
            0: 0,
            250: 2.5e-5,
            1000: 1e-4,
            99999: 1e-4,
            100000: 1e-4,
            125000: 8e-5,
            200000: 5e-5,
            10_000_000: 1e-6,
        },
        steps=None,
    ),
    Worked(
        "step-decay",
        {
            0: 0.1,
            390: 1.65,
            780: 3.2,
            4679: 3.2,
            4680: 0.32,
            9359: 0.32,
            9360: 0.032,
            12480: 0.0032,
            14039: 0.0032,
        },
        steps=14040,
    ),
    Worked(
        "cosine-by-epoch",
        {
            0: 1e-6,
            1250: 1e-6,
            1251: 1e-6 + 999e-6 / 5,
            6254: 1e-6 + 999e-6 * 4 / 5,
            6255: cosine(1e-3, 1e-5, 5 / 300),
            7505: cosine(1e-3, 1e-5, 5 / 300),
            187650: 5.05e-4,
            375299: cosine(1e-3, 1e-5, 299 / 300),
            375300: 1e-5,
        },
        steps=375300,
    ),
    Worked(
        "cosine-tokens",
        {
            0: 0,
            2000: 6e-5 * 2000 * 48 * 2048 / 375e6,
            3815: gpt(3815),
            4001: gpt(4001),
            20000: gpt(20000),
            60000: gpt(60000),
            98776: gpt(98776),
            98777: 6e-6,
            111493: 6e-6,
        },
        steps=111493,
    ),
    Worked(
        "finetune-linear",
        {0: 0, 90: 1e-5, 180: 2e-5, 1590: 1e-5, 2718: 2e-6, 3000: 0},
        steps=3000,
        facts={"steps": 3000, "base": 2e-5},
    ),
)
