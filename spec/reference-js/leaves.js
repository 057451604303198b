// Binds the kinds that hold no schedule: to their edges, durations and boundaries, and what they
// start with.

import * as formulas from "./formulas.js";
import { interpolate } from "./interpolation.js";
import { INTERPOLATING, PIECEWISE, isWritten } from "./kinds.js";
import { asymptoteSide, increasing } from "./meaning.js";
import { Leaf } from "./nodes.js";
import { refuse } from "./problems.js";
import { Rational, ZERO } from "./rational.js";

/**
 * @param {import("./form.js").Node} node @param {import("./layout.js").Span} span
 * @param {import("./bind.js").Place} place
 * @param {{units: import("./units.js").Units, base: number | "absolute" | null}} run
 */
export function bindLeaf(node, span, place, run) {
  if (INTERPOLATING.has(node.kind)) return interpolating(node, span, place);
  const bind = PIECEWISE.has(node.kind) ? pieces : FORMULAS[node.kind];
  return new Leaf(span, isWritten(node), bind(node, span, place, run));
}

function initialOf({ fields }, { before }) {
  return fields.initial ?? before();
}

/** 7.2 to 7.4, 7.6, 7.7 */
function interpolating(node, span, place) {
  const { kind, fields, path } = node;
  if (span.end === null) span.endless(path); // 5.10
  const a = initialOf(node, place);
  if (kind === "geometric" || kind === "inverse") asymptoteSide(node, a); // 6.5
  const ends = {
    a,
    b: fields.final,
    c: fields.asymptote ?? 0,
    s: span.start.toNumber(),
    t: span.end.toNumber(),
    extended: fields.after === "extend",
    exponent: fields.exponent ?? fields.power ?? 1,
    origin: fields.origin ?? "final",
  };
  const formula = ({ number }) => interpolate(kind, ends, number);
  return new Leaf(span, isWritten(node) && !ends.extended, formula, fields.final);
}

/** 7.12, 7.13 */
function pieces({ kind, fields: { boundaries, values } }, span, { ruler }, { units }) {
  const exact = boundaries.map((each) => ruler.start.add(units.distance(each, ruler, ruler.start)));
  const known = { boundaries: exact.map((each) => each.toNumber()), values };
  increasing(known.boundaries, boundaries);
  return kind === "piecewise_linear"
    ? ({ number }) => formulas.piecewiseLinear(known, number)
    : ({ number, left }) => formulas.piecewiseConstant(known, number, left);
}

const FORMULAS = {
  constant(node, span, place) {
    const a = initialOf(node, place);
    return () => a;
  },
  exponential(node, span, place, { units }) {
    const a = initialOf(node, place);
    const { rate, staircase } = node.fields;
    const every = units.positive(node.fields.every, place.ruler);
    const [s, T] = [span.start.toNumber(), every.toNumber()];
    const powers = staircase
      ? ({ point, left }) => Number(formulas.multiples(point.sub(span.start), every, left))
      : ({ number }) => (number - s) / T;
    return (position) => formulas.timesPower(a, rate, powers(position));
  },
  inverse_sqrt(node, span, place, { units }) {
    const a = initialOf(node, place);
    const T = units.positive(node.fields.timescale, place.ruler).toNumber();
    const s = span.start.toNumber();
    return ({ number }) => formulas.inverseSqrt(a, T, number - s);
  },
  power_law(node, span, place, { units }) {
    const a = initialOf(node, place);
    const T = units.positive(node.fields.timescale, place.ruler).toNumber();
    const s = span.start.toNumber();
    return ({ number }) => formulas.powerLaw(a, T, node.fields.exponent, number - s);
  },
  token_power(node, span, place, run) {
    const { clock } = run.units;
    const { fields, path } = node;
    clock.need("batch_size", path);
    const sequence = clock.need("sequence_length", path);
    const base = run.base === "absolute" ? 1 : (run.base ?? refuse("base-required", path));
    const known = { ...fields, a: initialOf(node, place), base };
    const stepAt = (p) => clock.stepAt(Rational.ofFloat(p), path);
    const tokens = (p) => clock.samples(stepAt(p)).mul(sequence);
    const from = fields.count_from === "stage" ? tokens(span.start.toNumber()) : ZERO;
    return ({ number, left }) => {
      const batch = clock.sizeAt(stepAt(number), left).toNumber();
      return formulas.tokenPower(known, batch, tokens(number).sub(from).toNumber());
    };
  },
};
