"""What a backend is, and where one is found by name: the reference, or an adapter that some
installed package registers."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Protocol, SupportsFloat, cast

if TYPE_CHECKING:
    from lrspec.conformance.answers import Answer
    from lrspec.conformance.cases import Case
    from lrspec.curve import Curve

GROUP = "lrspec.adapters"
REFERENCE = "core"

PROFILES = ("float64", "float32")


class Backend(Protocol):
    """Answers cases, one at a time.

    `profile` is the name of the profile that its values are held to; a case of a type that is not
    in `takes` is not asked.
    """

    @property
    def name(self) -> str:
        """What reports call it."""
        ...

    @property
    def profile(self) -> str:
        """float64 or float32."""
        ...

    @property
    def takes(self) -> tuple[type[Case], ...]:
        """The kinds of cases it is asked."""
        ...

    def answer(self, case: Case) -> Answer:
        """The answer to one case; it raises nothing."""
        ...


class Evaluate(Protocol):
    """What an adapter registers (`adapters/README.md`): the values of a curve at steps, made by the
    framework's own object, and how exact they are."""

    profile: str

    def __call__(self, curve: Curve, steps: Sequence[int]) -> Iterable[SupportsFloat]:
        """One value a step, in their order."""
        ...


class BackendError(Exception):
    """A backend that is not there, or that cannot be used here; the text says why."""


def names() -> tuple[str, ...]:
    """The reference and every adapter that is registered."""
    from importlib.metadata import entry_points

    return (REFERENCE, *sorted({point.name for point in entry_points(group=GROUP)} - {REFERENCE}))


def find(name: str) -> Backend:
    """The backend of a name.

    Raises:
        BackendError: No adapter has the name, its framework is missing, or it is no adapter.
    """
    from lrspec.conformance.adapter import Adapter
    from lrspec.conformance.reference import Reference

    if name == REFERENCE:
        return Reference()
    return Adapter(name, _evaluate(name))


def _evaluate(name: str) -> Evaluate:
    from importlib.metadata import entry_points

    points = tuple(entry_points(group=GROUP, name=name))
    if not points:
        raise BackendError(f"no backend is named {name!r}; there are {', '.join(names())}")
    if len({point.value for point in points}) > 1:
        several = ", ".join(point.value for point in points)
        raise BackendError(f"more than one adapter is registered as {name!r}: {several}")
    try:
        found: object = points[0].load()
    except (ImportError, AttributeError) as error:
        raise BackendError(f"{name} cannot be used here: {error}") from error
    profile = getattr(found, "profile", None)
    if not callable(found) or profile not in PROFILES:
        raise BackendError(
            f"{points[0].value} is no adapter: a callable (curve, steps) with an attribute profile,"
            f" {' or '.join(map(repr, PROFILES))}; its profile is {profile!r}"
        )
    return cast("Evaluate", found)
