// The clock of a run (section 2): samples consumed by its steps, their inverse, and the edges of
// steps along the axis.

import { ONE, Rational, TWO, ZERO } from "./rational.js";
import { refuse } from "./problems.js";

export class Clock {
  /**
   * @param {"steps" | "samples" | "tokens"} axis
   * @param {{batches?: Batch[], sequenceLength?: bigint, stepsPerEpoch?: number}} facts
   * @typedef {{start: bigint, value: bigint}} Batch
   */
  constructor(axis, { batches, sequenceLength, stepsPerEpoch }) {
    this.axis = axis;
    this.known = {
      batch_size: batches,
      sequence_length: sequenceLength && new Rational(sequenceLength),
      // 3.3: its shortest decimal text
      steps_per_epoch: stepsPerEpoch && Rational.parse(String(stepsPerEpoch)),
    };
    /** The batch sizes, with the step and the sample from which each holds. */
    this.sizes = [];
    for (const { start, value } of batches ?? []) {
      const step = new Rational(start);
      const last = this.sizes.at(-1);
      const sample = last ? last.sample.add(step.sub(last.step).mul(last.size)) : ZERO;
      this.sizes.push({ step, sample, size: new Rational(value) });
    }
  }

  /** A fact that what stands at `path` needs (3.3). */
  need(fact, path) {
    return this.known[fact] ?? refuse("missing-fact", path);
  }

  /** Whether steps and samples are proportional (3.7). */
  steady(path) {
    return this.need("batch_size", path).length === 1;
  }

  /** The batch size at a step, or just before it. */
  sizeAt(step, left = false) {
    return holding(this.sizes, "step", step, left).size;
  }

  /** S (2.3). @param {Rational} step */
  samples(step) {
    const from = holding(this.sizes, "step", step);
    return from.sample.add(step.sub(from.step).mul(from.size));
  }

  /** The inverse of S. @param {Rational} sample */
  steps(sample) {
    const from = holding(this.sizes, "sample", sample);
    return from.step.add(sample.sub(from.sample).div(from.size));
  }

  /**
   * e of any rational step (2.2).
   * @param {Rational} step
   * @param {string} path where the facts that it needs are missed
   */
  edge(step, path) {
    if (this.axis === "steps") return step;
    this.need("batch_size", path);
    const samples = this.samples(step);
    return this.axis === "samples" ? samples : samples.mul(this.need("sequence_length", path));
  }

  /** The rational step at a point of the axis. */
  stepAt(point, path) {
    if (this.axis === "steps") return point;
    this.need("batch_size", path);
    if (this.axis === "samples") return this.steps(point);
    return this.steps(point.div(this.need("sequence_length", path)));
  }

  /** The position of a step (2.4), and whether it is a limit from the left. */
  position(step, sample) {
    const [start, end] = [step, step.add(ONE)].map((edge) => this.edge(edge, "/axis"));
    if (sample === "middle") return { point: start.add(end).div(TWO), left: false };
    return sample === "end" ? { point: end, left: true } : { point: start, left: false };
  }
}

/**
 * The last of some entries whose `key` is at or before a point (before it, with `left`), else the
 * first.
 */
function holding(entries, key, point, left = false) {
  const found = entries.findLast((entry) => point.compare(entry[key]) >= (left ? 1 : 0));
  return found ?? entries[0];
}
