// What a position or a duration as written comes to along the axis (section 3).

import { Rational } from "./rational.js";
import { refuse } from "./problems.js";

/**
 * Where positions are measured from, and what `%` is of (3.4). `endless` refuses what needs a span where
 * the span has no end; `repeated` says that it stands in a `repeat` (3.7).
 * @typedef {{start: Rational, span: Rational | null, endless: (path: string) => never, repeated: boolean}} Ruler
 */

const HUNDRED = new Rational(100n);
const ROUND = {
  floor: (value) => value.floor(),
  ceil: (value) => value.ceil(),
  nearest: (value) => value.nearest(),
};

export class Units {
  /**
   * @param {import("./clock.js").Clock} clock
   * @param {"none" | "floor" | "ceil" | "nearest"} rounding
   */
  constructor(clock, rounding) {
    this.clock = clock;
    /** Rounds to whole steps, or nothing (3.6). @type {((value: Rational) => Rational) | null} */
    this.round = rounding === "none" ? null : (value) => new Rational(ROUND[rounding](value));
  }

  /**
   * The length on the axis of a quantity that is measured from `origin`, or up to it when it is
   * measured `backward`. Without an origin the unit must be proportional to the axis (3.7).
   * @param {import("./fields.js").Quantity} quantity
   * @param {Ruler} ruler
   * @param {Rational} [origin]
   */
  distance(quantity, ruler, origin, backward = false) {
    const exact = this.convert(quantity, ruler, ruler.repeated ? undefined : origin, backward);
    return this.round !== null && quantity.unit !== "step" ? this.round(exact) : exact;
  }

  convert({ amount, unit, path }, ruler, origin, backward) {
    const { clock } = this;
    if (unit === "%") return (ruler.span ?? ruler.endless(path)).mul(amount).div(HUNDRED);
    const ofSteps = unit === "step" || unit === "epoch";
    const alongSteps = clock.axis === "steps";
    // Steps, or samples; but tokens stay along tokens, where they need no sequence length.
    if (unit === "epoch") amount = amount.mul(clock.need("steps_per_epoch", path));
    if (unit === "token" && clock.axis === "tokens") return amount;
    if (unit === "token") amount = amount.div(clock.need("sequence_length", path));
    if (unit === "sample" && clock.axis === "tokens")
      return amount.mul(clock.need("sequence_length", path));
    if (ofSteps === alongSteps) return amount;
    if (!clock.steady(path)) {
      if (origin === undefined) refuse("unit-not-proportional", path);
    } else {
      origin = ruler.start; // any will do
    }
    const signed = backward ? new Rational(-amount.n, amount.d) : amount;
    const step = clock.stepAt(origin, path);
    const end = alongSteps
      ? clock.steps(clock.samples(step).add(signed))
      : clock.edge(step.add(signed), path);
    return backward ? origin.sub(end) : end.sub(origin);
  }

  /** A duration that does not come to 0 (3.8). */
  positive(quantity, ruler) {
    const length = this.distance(quantity, ruler);
    if (length.toNumber() === 0) refuse("rounds-to-zero", quantity.path);
    return length;
  }
}
