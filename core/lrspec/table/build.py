"""From the resolved tree to its table: every schedule of one frame of positions becomes rows."""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction
from math import ceil, floor, log
from typing import Final, NamedTuple, TypeAlias, TypeVar

from lrspec import resolved
from lrspec.clock import BatchMap, Consumption
from lrspec.limits import LAST_STEP
from lrspec.periods import Periods, Walk
from lrspec.resolved import Exact, Node, Resolution
from lrspec.table import form
from lrspec.table.form import LARGEST, Child, Clock, Rows, Table
from lrspec.table.frame import Frame, Place
from lrspec.table.indices import Counting, index, multiples
from lrspec.table.leaves import Row, constant, pieces, staircase, token_power

# Of one `repeat` whose periods grow, and of what stands in them.
MOST_PERIODS: Final = 50_000
MOST_ROWS: Final = 50_000

# Before and after every position.
_EARLIEST: Final = -(10**400)
_LATEST: Final = 10**400
_FARTHEST: Final = 2.0**1023
# Columns whose presence says that something must be computed.
_TELLING: Final = frozenset({"step", "origin", "turn", "shrink"})


class TooManyPeriods(ValueError):
    """A `repeat` whose periods grow so slowly that a table cannot hold all up to step 2³¹ − 1."""


def build(resolution: Resolution) -> Table:
    """The table of a curve.

    Raises:
        TooManyPeriods: A `repeat` with `stretch` has 50,000 periods or more by step 2³¹ − 1, or
            50,000 rows.
    """
    clock = resolution.clock
    grid = 2 if clock.sample == "middle" else 1
    reading = _Reading(clock, grid)
    builder = _Builder(Frame(grid, clock.sample == "end", reading.at(LAST_STEP)), clock)
    builder.lay(resolution.root, _EARLIEST, _LATEST, Place(builder.frame), ())
    return Table(reading.clock(), builder.rows(), resolution.base)


class _Reading:
    """q = before + (step − start)·size for the last row that starts at the step or before it."""

    def __init__(self, clock: resolved.Clock, grid: int) -> None:
        batches = clock.batches
        if clock.axis == "steps" or batches is None:
            batches = resolved.Batches((0,), (1,))
        factor = grid * (clock.sequence_length or 1) if clock.axis == "tokens" else grid
        self.starts = batches.starts
        self.sizes = [factor * size for size in batches.values]
        # What the step itself consumes lies before the point where it is read: none, half, or all.
        share = {"start": 0, "middle": 1, "end": 2}[clock.sample]
        consumed = BatchMap(batches).consumed
        self.before = [
            factor * before + size * share // 2
            for before, size in zip(consumed, self.sizes, strict=True)
        ]

    def at(self, step: int) -> int:
        """q of the step."""
        row = max(i for i, start in enumerate(self.starts) if start <= step)
        return self.before[row] + (step - self.starts[row]) * self.sizes[row]

    def clock(self) -> Clock:
        return Clock(*(tuple(map(float, v)) for v in (self.starts, self.before, self.sizes)))


class Clip(NamedTuple):
    """What `clamp` does to a value."""

    minimum: float
    maximum: float


class Scale(NamedTuple):
    """What a `repeat` that shrinks does to a value in one of its periods."""

    toward: float
    factor: float


_Part = TypeVar("_Part")

# What is done to the value of a row, from the inside out.
Posts: TypeAlias = tuple[Clip | Scale, ...]


class _Builder:
    """Collects the rows of one frame, from left to right."""

    def __init__(self, frame: Frame, clock: resolved.Clock) -> None:
        self.frame = frame
        self.clock = clock
        self.starts: list[int] = []
        self.found: list[Row] = []
        self.parts: list[_Builder] = []
        self.children: list[Child] = []
        self.levels = 0
        self.rounds = False
        # Where a product or sum begins, and the number that changes nothing in it.
        self.combinations: list[tuple[int, float]] = []

    def lay(self, node: Node, start: int, stop: int, place: Place, posts: Posts) -> None:
        """The rows of a node that owns the whole numbers from `start` to before `stop`."""
        match node:
            case resolved.Timeline():
                ends = (*(place.first("own", edge) for edge in node.edges), _LATEST)
                for child, first, last in _cut(zip(node.rows, ends, strict=True), start, stop):
                    self.lay(child, first, last, place, posts)
            case resolved.Clamp():
                least = -LARGEST if node.minimum is None else node.minimum
                most = LARGEST if node.maximum is None else node.maximum
                self.lay(node.child, start, stop, place, (Clip(least, most), *posts))
            case resolved.Product() | resolved.Sum():
                self._combination(node, start, stop, place, posts)
            case resolved.Repeat():
                self._repeat(node, start, stop, place, posts, skip=0)
            case resolved.Growing():
                self._growing(node, start, stop, place, posts)
            case resolved.Quantize():
                self._quantize(node, start, stop, place, posts)
            case resolved.Staircase():
                begin = place.start + node.start
                counting = self._index(begin, node.every, stop)
                counted = (staircase(node) | counting.columns, _LATEST)
                before = (constant(node.initial), self.frame.first_after(begin))
                for row, first, _ in _cut((before, counted), start, stop):
                    self._add(first, row, place, posts)
            case resolved.TokenPower():
                self._token_power(node, start, stop, place, posts)
            case _:
                found = pieces(node)
                begins = (place.first(side, edge) for side, edge, _ in found if edge is not None)
                rows = zip((row for _, _, row in found), (*begins, _LATEST), strict=True)
                for row, first, _ in _cut(rows, start, stop):
                    self._add(first, row, place, posts)

    def rows(self) -> Rows:
        """What was collected, as columns."""
        shapes = {int(row.get("shape", form.LINE)) for row in self.found}
        columns = self._columns(len(shapes) > 1)
        count = len(self.found)
        # A second row keeps compilers from folding the numbers of the only one into constants.
        edges = [min(float(min(q, 2**1023)), _FARTHEST) for q in self.starts[1:]] or [_FARTHEST]
        repeated = 2 if count == 1 else 1
        matrix = tuple(
            tuple(float(row.get(name, default)) for row in self.found) * repeated
            for name, default in columns.items()
        )
        return Rows(
            grid=self.frame.grid,
            left=self.frame.left,
            edges=tuple(edges),
            columns=tuple(columns),
            matrix=matrix,
            shapes=tuple(sorted(shapes)),
            rounds=self.rounds,
            levels=self.levels,
            parts=tuple(part.rows() for part in self.parts),
            children=tuple(self.children),
        )

    def _columns(self, several: bool) -> dict[str, float]:
        """The columns that some row needs, with the numbers of the rows that do not."""
        defaults = dict(form.DEFAULTS, unit=float(self.frame.grid))
        for level in range(1, self.levels + 1):
            defaults |= {f"toward{level}": 0.0, f"factor{level}": 1.0}
            defaults |= {f"minimum{level}": -LARGEST, f"maximum{level}": LARGEST}
        used = {name for row in self.found for name in row if name in _TELLING}
        used |= {
            name for row in self.found for name, number in row.items() if number != defaults[name]
        }
        if "origin" in used and self.frame.grid & (self.frame.grid - 1):
            used.add("unit")
        if not several:
            used.discard("shape")
        used = used or {"low"}
        base = len(form.DEFAULTS)
        order = {name: place for place, name in enumerate(defaults)}
        return {
            name: defaults[name]
            for name in sorted(defaults, key=order.__getitem__)
            if name in used or order[name] >= base
        }

    def _add(self, start: int, row: Row, place: Place, posts: Posts) -> None:
        """One row, which holds from `start` until the next."""
        row = dict(row)
        if place.start != 0:
            row |= {"origin": float(place.origin), "origin_part": place.part}
        level = ""
        for post in posts:
            if isinstance(post, Clip):
                for name in ("minimum", "maximum"):
                    number = row.get(name + level, form.DEFAULTS[name])
                    row[name + level] = min(max(number, post.minimum), post.maximum)
            elif post.factor != 1:
                level = str(int(level or 0) + 1)
                row |= {f"toward{level}": post.toward, f"factor{level}": post.factor}
        self.levels = max(self.levels, int(level or 0))
        if self.starts and self.starts[-1] == start:
            self.starts.pop()
            self.found.pop()
        self.starts.append(start)
        self.found.append(row)

    # -- combinators and wrappers ---------------------------------------------------------------

    def _combination(
        self,
        node: resolved.Product | resolved.Sum,
        start: int,
        stop: int,
        place: Place,
        posts: Posts,
    ) -> None:
        product = isinstance(node, resolved.Product)
        while len(self.parts) < len(node.children):
            part = _Builder(self.frame, self.clock)
            part._add(_EARLIEST, constant(1.0), Place(self.frame), ())
            for first, number in self.combinations:
                part._add(first, constant(number), Place(self.frame), ())
            self.parts.append(part)
        neutral = 1.0 if product else 0.0
        self.combinations.append((start, neutral))
        shape = form.PRODUCT if product else form.SUM
        self._add(start, {"shape": shape}, Place(self.frame), posts)
        for part, child in zip(self.parts, node.children, strict=False):
            part.lay(child, start, stop, place, ())
        for part in self.parts[len(node.children) :]:
            part._add(start, constant(neutral), Place(self.frame), ())
        for part in self.parts:
            # Where it is not asked for, a part is computed all the same, and must stay finite.
            part._add(stop, constant(neutral), Place(self.frame), ())

    def _repeat(
        self,
        node: resolved.Repeat,
        start: int,
        stop: int,
        place: Place,
        posts: Posts,
        skip: int,
    ) -> None:
        counting = self._index(place.start + node.start, node.period, stop)
        grid = self.frame.grid * counting.split
        inside = _Builder(Frame(grid, self.frame.left, ceil(node.period * grid)), self.clock)
        inside.lay(node.child, _EARLIEST, _LATEST, Place(inside.frame), ())
        row = {**self._child(Child("repeat", inside.rows())), **counting.columns}
        if node.shrink != 1:
            row |= {"shrink": node.shrink, "toward": node.toward, "skip": float(skip)}
        self._add(start, row, Place(self.frame), posts)

    def _quantize(
        self, node: resolved.Quantize, start: int, stop: int, place: Place, posts: Posts
    ) -> None:
        counting = self._index(place.start + node.start, node.every, stop)
        last = Fraction(min(stop, self.frame.last), self.frame.grid) - place.start
        reading = multiples(last, node.start, node.every)
        self.rounds = self.rounds or not reading.exact
        inside = _Builder(Frame(reading.split, False, floor(last * reading.split)), self.clock)
        inside.lay(node.child, _EARLIEST, _LATEST, Place(inside.frame), ())
        child = self._child(Child("quantize", inside.rows()))
        self._add(start, {**child, **counting.columns, **reading.columns}, Place(self.frame), posts)

    def _index(self, start: Exact, every: Exact, stop: int) -> Counting:
        counting = index(self.frame, start, every, stop)
        self.rounds = self.rounds or not counting.exact
        return counting

    def _child(self, child: Child) -> Row:
        """The shape of a row that stands for the child, and its grid."""
        if child not in self.children:
            self.children.append(child)
        shape = float(form.CHILD + self.children.index(child))
        return {"shape": shape, "grid": float(child.rows.grid)}

    def _growing(
        self, node: resolved.Growing, start: int, stop: int, place: Place, posts: Posts
    ) -> None:
        """Every period as rows of its own, up to the last step."""
        periods, grid = node.periods, self.frame.grid
        begin = place.start + node.start
        _check_number(periods, self.frame, begin)
        walk = Walk(periods, self.frame.left)
        q = start
        while True:
            walk.to(max(Fraction(q, grid) - begin, Fraction(0)))
            number, length = walk.index, walk.length
            if periods.rounding != "none" and periods.length(number + 1) == length:
                # Rounding stops the growth: from here on it is a `repeat` of equal periods.
                first = node.start + walk.start
                equal = node.resolve(length)
                repeat = resolved.Repeat(first, length, node.shrink, node.toward, equal)
                self._repeat(repeat, q, stop, place, posts, skip=number)
                return
            inside = Place(self.frame, begin + walk.start)
            scale = Scale(node.toward, _power(node.shrink, number))
            end = stop
            if periods.count is None or number < periods.count - 1:
                end = min(stop, self.frame.owner(begin + walk.end))
            self.lay(node.resolve(length), q, end, inside, (scale, *posts))
            q = end
            if q >= stop or q > self.frame.last:
                return
            if len(self.found) > MOST_ROWS:
                raise TooManyPeriods(
                    f"the periods of a repeat with stretch {float(periods.stretch)!r} have more "
                    f"than {MOST_ROWS:,} rows by step {LAST_STEP:,}; they do not fit in a table"
                )

    # -- tokens ---------------------------------------------------------------------------------

    def _token_power(
        self, node: resolved.TokenPower, start: int, stop: int, place: Place, posts: Posts
    ) -> None:
        """A row for each batch size; `initial` where no tokens are counted yet."""
        clock, frame = self.clock, self.frame
        assert clock.batches is not None and clock.sequence_length is not None
        used = Consumption(clock)
        consumed = BatchMap(clock.batches).consumed
        edges: Iterable[int] = clock.batches.starts
        if clock.axis != "steps":
            factor = clock.sequence_length if clock.axis == "tokens" else 1
            edges = [samples * factor for samples in consumed]
        counted = frame.first_after(node.since)
        rows: list[tuple[Row, int]] = [(constant(node.initial), counted)]
        ends = [*(edge for edge in edges if edge > 0), None]
        for size, first, end in zip(clock.batches.values, edges, ends, strict=True):
            anchor = float(max(first, node.since))
            at = float(used.tokens(Fraction(anchor)) - used.tokens(node.since))
            slope = {"steps": size * clock.sequence_length, "samples": clock.sequence_length}
            row = token_power(node, size, anchor, at, slope.get(clock.axis, 1))
            rows.append((row, _LATEST if end is None else frame.owner(end)))
        for row, begin, _ in _cut(rows, start, stop):
            self._add(begin, row, place, posts)


def _cut(
    parts: Iterable[tuple[_Part, int]], start: int, stop: int
) -> Iterable[tuple[_Part, int, int]]:
    """What lies in [start, stop) of parts that follow each other, each given with its end."""
    for part, end in parts:
        end = min(end, stop)
        if start < end:
            yield part, start, end
            start = end


def _power(shrink: float, number: int) -> float:
    try:
        return min(shrink**number, LARGEST)
    except OverflowError:
        return LARGEST


def _check_number(periods: Periods, frame: Frame, begin: Exact) -> None:
    """Refuse periods that grow, or shrink, too slowly before any of them is laid out."""
    if periods.rounding != "none":
        return  # they grow by whole steps, or not at all
    last = max(Fraction(frame.last, frame.grid) - begin, Fraction(0))
    if periods.stretch > 1:
        number = periods.locate(last, False)
    else:
        # Only as many as are longer than the grid; of the rest, those that hold a point of it.
        number = floor(log(max(1.0, float(periods.first * frame.grid))) / -log(periods.stretch))
        number = min(number, periods.count or number)
    if number >= MOST_PERIODS:
        raise TooManyPeriods(
            f"a repeat with stretch {float(periods.stretch)!r} has {MOST_PERIODS:,} "
            f"periods or more by step {LAST_STEP:,}; they do not fit in a table"
        )
