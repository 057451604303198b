"""lrspec: a language for learning-rate schedules and its reference evaluator.

    >>> import lrspec
    >>> document = lrspec.from_dict({"lrspec": 1, "schedule": {"linear": {"final": 0}}})
    >>> document.bind(base=0.5, steps=10)(5)
    0.25

Importing this package loads nothing else: every name is fetched from its module when it is first
asked for.
"""

TYPE_CHECKING = False  # the one of `typing` costs more to import than all of this package's face
if TYPE_CHECKING:
    from lrspec.curve import Curve
    from lrspec.document import Document
    from lrspec.loading import from_dict, load, loads
    from lrspec.phases import Phase
    from lrspec.problems import Problem, SpecError

__all__ = ["Curve", "Document", "Phase", "Problem", "SpecError", "from_dict", "load", "loads"]

_HOMES = {
    "Curve": "lrspec.curve",
    "Document": "lrspec.document",
    "Phase": "lrspec.phases",
    "Problem": "lrspec.problems",
    "SpecError": "lrspec.problems",
    "from_dict": "lrspec.loading",
    "load": "lrspec.loading",
    "loads": "lrspec.loading",
}


def __getattr__(name: str) -> object:
    """A public name, from the module that defines it."""
    home = _HOMES.get(name)
    if home is None:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value = globals()[name] = getattr(__import__(home, fromlist=[name]), name)
    return value


def __dir__() -> list[str]:
    return sorted(__all__)
