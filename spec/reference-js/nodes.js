// Bound nodes: what each gives at a position, at its end and beyond it (section 6, 7.14 to 7.18).

import { multiples, timesPower } from "./formulas.js";
import { saturate } from "./operators.js";
import { Rational, ZERO, max } from "./rational.js";

/** A point of the axis, or with `left` the limit from the left there (2.5). */
export class Position {
  /** @param {Rational} point */
  constructor(point, left = false) {
    this.point = point;
    this.left = left;
    this.number = point.toNumber(); // 3.9
  }

  static before(point) {
    return new Position(point, true);
  }

  /** Whether what starts at this rounded edge owns the position (6.1). */
  reaches(edge) {
    return this.number > edge || (this.number === edge && !this.left);
  }
}

/**
 * A node on its span. Its rounded edges decide what it owns, the exact ones which multiple or
 * period a position lies in (3.9).
 */
class Bound {
  /**
   * @param {import("./layout.js").Span} span
   * @param {boolean} holds whether it holds its closing value beyond its end (6.6)
   */
  constructor(span, holds) {
    this.span = span;
    this.start = span.start.toNumber();
    this.end = span.end?.toNumber() ?? Infinity;
    this.holds = holds;
  }

  /** @param {Position} position */
  value(position) {
    return this.holds && position.reaches(this.end)
      ? this.closing()
      : saturate(this.inside(position));
  }

  /** The closing value (6.2). */
  closing() {
    this.closed ??= saturate(this.close());
    return this.closed;
  }

  close() {
    return this.inside(Position.before(this.span.end));
  }

  /** What it has at the end of what encloses it (6.2). @param {Rational} end */
  valueAtEnd(end) {
    return end.toNumber() === this.end ? this.closing() : this.value(Position.before(end));
  }
}

export class Leaf extends Bound {
  /** @param {(position: Position) => number} formula @param {number} [final] */
  constructor(span, holds, formula, final) {
    super(span, holds);
    this.formula = formula;
    this.final = final;
  }

  inside(position) {
    return this.formula(position);
  }

  close() {
    return this.start === this.end
      ? (this.final ?? this.formula(new Position(this.span.start)))
      : super.close();
  }
}

export class List extends Bound {
  constructor(span, stages) {
    super(span, false);
    this.stages = stages;
  }

  inside(position) {
    const owner = this.stages.findLast((stage) => position.reaches(stage.start)) ?? this.stages[0];
    return owner.value(position);
  }

  close() {
    const last = this.stages.at(-1);
    return last.end <= this.end ? last.valueAtEnd(this.span.end) : super.close();
  }
}

/** A combinator or wrapper: `operator` takes the values of its children. */
export class Operation extends Bound {
  constructor(span, holds, children, operator) {
    super(span, holds);
    this.children = children;
    this.operator = operator;
  }

  inside(position) {
    return this.operator(this.children.map((child) => child.value(position)));
  }

  close() {
    return this.operator(this.children.map((child) => child.valueAtEnd(this.span.end)));
  }
}

export class Quantize extends Bound {
  /** @param {Rational} every */
  constructor(span, holds, child, every) {
    super(span, holds);
    this.child = child;
    this.every = every;
  }

  inside({ point, left }) {
    const { start } = this.span;
    const passed = multiples(point.sub(start), this.every, left);
    return this.child.value(new Position(start.add(this.every.mul(new Rational(passed)))));
  }
}

export class Repeat extends Bound {
  /**
   * @param {{count: bigint | null, shrink: number, toward: number}} fields
   * @param {import("./periods.js").Periods} periods
   * @param {(i: bigint) => Bound} child binds the schedule to period i
   */
  constructor(span, holds, fields, periods, child) {
    super(span, holds);
    this.fields = fields;
    this.periods = periods;
    this.child = child;
  }

  inside({ point, left }) {
    const x = max(point.sub(this.span.start), ZERO);
    const i = this.periods.at(x, left);
    if (i < 0n) return this.inside(new Position(this.span.start)); // nothing is before its start
    if (this.isOver(i)) return this.closingOf(this.fields.count - 1n);
    return this.inPeriod(i, (child) =>
      child.value(new Position(x.sub(this.periods.start(i)), left)),
    );
  }

  close() {
    if (this.start === this.end) return this.inside(new Position(this.span.start));
    const length = this.span.end.sub(this.span.start);
    const i = this.periods.at(length, true);
    const endsHere = !this.isOver(i) && this.periods.start(i + 1n).compare(length) === 0;
    return endsHere ? this.closingOf(i) : super.close();
  }

  isOver(i) {
    return this.fields.count !== null && i >= this.fields.count;
  }

  /** 7.14 over the closing value of the schedule in period i. */
  closingOf(i) {
    return this.inPeriod(i, (child) => child.valueAtEnd(this.periods.length(i)));
  }

  inPeriod(i, read) {
    const { shrink, toward } = this.fields;
    const value = read(this.child(i));
    return shrink ** Number(i) === 1
      ? value
      : toward + timesPower(value - toward, shrink, Number(i));
  }
}
