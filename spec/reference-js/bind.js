// Binds a schedule to the clock of a run: from nodes as written to nodes on their spans (sections 3
// to 6).

import { hasOwnPeriods, isWritten } from "./kinds.js";
import { layStages, periodsIn, rulerOf, writtenEnd } from "./layout.js";
import { bindLeaf } from "./leaves.js";
import { List, Operation, Quantize, Repeat } from "./nodes.js";
import { OPERATORS } from "./operators.js";
import { extremes } from "./periods.js";
import { refuse } from "./problems.js";
import { Rational, ZERO } from "./rational.js";

/**
 * Where a node stands: its ruler; how much of the innermost list has passed at its stage (7.18);
 * the value that stands before it (6.3); whether it is laid backward (5.6).
 * @typedef {import("./units.js").Ruler} Ruler
 * @typedef {{ruler: Ruler, passed: Rational, before: () => number, backward?: boolean}} Place
 * @typedef {import("./layout.js").Span} Span
 * @typedef {import("./form.js").Node} Node
 */

export class Binder {
  /** @param {import("./units.js").Units} units @param {number | "absolute" | null} base */
  constructor(units, base) {
    this.units = units;
    this.base = base;
  }

  /** The whole schedule, on the span of the run. @param {Node} schedule @param {Span} run */
  root(schedule, run) {
    return this.child(schedule, run, { ruler: rulerOf(run, false), passed: ZERO, before: () => 1 });
  }

  /** A node that has the span of its parent, or an end of its own (5.11). */
  child(node, span, place) {
    const end = writtenEnd(node, span.start, this.units, place.ruler);
    const own = end ? { ...span, end, bounded: true } : span;
    return this.bind(node, own, { ...place, backward: false });
  }

  /** A node on its own span. @param {Node} node @param {Span} span @param {Place} place */
  bind(node, span, place) {
    const { kind, fields, children } = node;
    const holds = isWritten(node);
    switch (kind) {
      case "list":
        return new List(span, this.stages(node, span, place));
      case "repeat":
        return this.repeat(node, span, place);
      case "quantize": {
        const every = this.units.positive(fields.every, place.ruler);
        return new Quantize(span, holds, this.child(children[0], span, place), every);
      }
      case "product":
      case "sum":
      case "clamp":
      case "advance": {
        const before = kind === "product" ? () => 1 : place.before;
        const inner = kind === "advance" ? this.advanced(span, fields.by, place) : span;
        const bound = children.map((child) => this.child(child, inner, { ...place, before }));
        return new Operation(span, holds, bound, OPERATORS[kind](fields));
      }
      default:
        return bindLeaf(node, span, place, this);
    }
  }

  stages(list, span, place) {
    const ruler = rulerOf(span, place.ruler.repeated);
    const laid = layStages(list, span, this.units, ruler, place.backward);
    const stages = [];
    for (const [i, { span: own, backward }] of laid.entries()) {
      const before = i === 0 ? place.before : () => stages[i - 1].closing();
      const passed = own.start.sub(span.start);
      stages.push(this.bind(list.stages[i], own, { ruler, passed, before, backward }));
    }
    return stages;
  }

  /** The span of the child of an `advance` (7.18). */
  advanced(span, by, { ruler, passed }) {
    return { ...span, start: span.start.sub(by ? this.units.distance(by, ruler) : passed) };
  }

  repeat(node, span, place) {
    const { period, count = null, stretch = 1, shrink = 1, toward = 0 } = node.fields;
    if (!period && span.end === null) span.endless(node.path); // 5.10
    const periods = periodsIn(node, span, this.units, place.ruler);
    let latest = null; // the schedule as it was bound last: positions come in order, mostly
    const child = (i) => {
      if (latest === null || (stretch !== 1 && latest.i !== i)) {
        const own = { start: ZERO, end: periods.length(i), bounded: true, endless: span.endless };
        if (period && this.units.round && own.end.n === 0n) refuse("rounds-to-zero", period.path);
        const inside = { ...place, ruler: rulerOf(own, true), passed: ZERO };
        latest = { i, bound: this.child(node.children[0], own, inside) };
      }
      return latest.bound;
    };
    // The lengths that 5.5 and 5.8 compare are linear in the length of the period: the shortest and
    // the longest decide for all.
    for (const i of extremes(Rational.parse(String(stretch)), count)) child(i);

    const ownEnd = hasOwnPeriods(node) && !isWritten(node) && span.start.add(periods.start(count));
    const holds = isWritten(node) || count !== null;
    const fields = { count, shrink, toward };
    return new Repeat({ ...span, end: ownEnd || span.end }, holds, fields, periods, child);
  }
}
