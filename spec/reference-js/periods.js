// The periods of a `repeat` (7.14): where each starts, how long it is, and which one owns a point,
// in exact arithmetic.

import { ONE, Rational, ZERO, log, power } from "./rational.js";

/**
 * Periods i = 0, 1, … that follow each other from 0 on. `at` gives the one that owns a point, or
 * the one just before it.
 * @typedef {{start: (i: bigint) => Rational, length: (i: bigint) => Rational, at: (point: Rational,
 *   left: boolean) => bigint}} Periods
 */

/**
 * @param {((value: Rational) => Rational) | null} round rounds all periods but the first to whole
 *   steps
 * @returns {Periods}
 */
export function periodsOf(first, stretch, round) {
  if (stretch.compare(ONE) === 0 || first.n === 0n) return equal(first);
  return round === null ? stretched(first, stretch) : rounded(first, stretch, round);
}

/** The first period where `count` of them are `length` long together. */
export function firstOf(length, stretch, count) {
  if (stretch.compare(ONE) === 0) return length.div(new Rational(count));
  return length.mul(stretch.sub(ONE)).div(power(stretch, count).sub(ONE));
}

/**
 * Of `count` periods (null: without end) those that bound the lengths of all, up to where no
 * position comes.
 */
export function extremes(stretch, count) {
  const grows = stretch.compare(ONE);
  if (grows === 0) return [0n];
  const far = BigInt(Math.ceil((64 * Math.LN2) / Math.abs(log(stretch))));
  return [0n, count === null || (grows > 0 && far < count) ? far : count - 1n];
}

const passes = (point, left) => (edge) => point.compare(edge) >= (left ? 1 : 0);

/** @returns {Periods} */
function equal(first) {
  return {
    start: (i) => first.mul(new Rational(i)),
    length: () => first,
    at(point, left) {
      if (first.n === 0n) return 0n;
      const passed = point.div(first);
      return left ? passed.ceil() - 1n : passed.floor();
    },
  };
}

/** @returns {Periods} */
function stretched(first, stretch) {
  const growth = stretch.sub(ONE);
  const start = (i) => first.mul(power(stretch, i).sub(ONE)).div(growth);
  return {
    start,
    length: (i) => first.mul(power(stretch, i)),
    at(point, left) {
      const passed = passes(point, left);
      // stretchⁱ where period i starts; 0 and less is behind all periods that get shorter.
      const grown = point.mul(growth).div(first).add(ONE);
      if (grown.n <= 0n) return BigInt(Number.MAX_SAFE_INTEGER);
      let i = BigInt(Math.max(0, Math.floor(log(grown) / log(stretch))));
      while (i > 0n && !passed(start(i))) i -= 1n;
      while (passed(start(i + 1n))) i += 1n;
      return i;
    },
  };
}

/** @returns {Periods} */
function rounded(first, stretch, round) {
  /**
   * The first periods; once one is as long as the one before it, or beyond all positions, the rest
   * are like it.
   */
  const table = [{ start: ZERO, length: first }];
  const settled = ({ start, length }, next) => next.compare(length) === 0 || start.n >> 1100n > 0n;
  function extendUntil(enough) {
    for (let last = table.at(-1); !enough(last); last = table.at(-1)) {
      const next = round(last.length.mul(stretch));
      if (settled(last, next)) return;
      table.push({ start: last.start.add(last.length), length: next });
    }
  }
  function entry(i) {
    extendUntil(() => BigInt(table.length) > i);
    const last = BigInt(table.length - 1);
    if (i <= last) return table[Number(i)];
    const { start, length } = table.at(-1);
    return { start: start.add(length.mul(new Rational(i - last))), length };
  }
  return {
    start: (i) => entry(i).start,
    length: (i) => entry(i).length,
    at(point, left) {
      const passed = passes(point, left);
      extendUntil(({ start, length }) => !passed(start.add(length)));
      const index = Math.max(
        table.findLastIndex(({ start }) => passed(start)),
        0,
      );
      const { start, length } = table[index];
      return BigInt(index) + equal(length).at(point.sub(start), left);
    },
  };
}
