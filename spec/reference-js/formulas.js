// The kinds that go on by a formula (7.8 to 7.13), in float64 by clause 8.5.

import { interpolate } from "./interpolation.js";
import { ONE, Rational } from "./rational.js";

/**
 * `factor`·`base`^`exponent` (7.8 among others), also where the power alone is no normal float64.
 */
export function timesPower(factor, base, exponent) {
  if (factor === 0 || base === 1) return factor;
  const power = base ** exponent;
  if (power >= 2 ** -1022 && power < Infinity) return factor * power;
  const half = base ** (exponent / 2);
  return factor * half * half;
}

/**
 * The multiples of a duration that have passed (3.9), or had passed just before (2.5).
 * @param {Rational} x
 * @param {Rational} every
 * @returns {bigint}
 */
export function multiples(x, every, left) {
  const passed = x.div(every);
  const whole = left ? passed.ceil() - 1n : passed.floor();
  return whole < 0n ? 0n : whole;
}

/** 7.9, of a timescale T and a distance x */
export function inverseSqrt(a, T, x) {
  return a * Math.sqrt(T / (T + x));
}

/** 7.10; what the rounding of 1 + x/T loses would count `exponent` times (8.6). */
export function powerLaw(a, T, exponent, x) {
  const base = 1 + x / T;
  const [exactT, exactX, exactBase] = [T, x, base].map((number) => Rational.ofFloat(number));
  const lost = exactT.add(exactX).div(exactT.mul(exactBase)).sub(ONE).toNumber();
  return timesPower(a * Math.exp(-exponent * lost), base, -exponent);
}

/**
 * 7.11
 * @param {{a: number, amplitude: number, exponent: number, base: number}} fields
 * @param {number} batch
 * @param {number} tokens
 */
export function tokenPower({ a, amplitude, exponent, base }, batch, tokens) {
  if (tokens <= 0) return a;
  const value = timesPower(amplitude * batch, tokens, exponent) / base;
  // Where a part of it is beyond float64 the whole may not be.
  const logarithm = () =>
    Math.log(amplitude) + Math.log(batch) + exponent * Math.log(tokens) - Math.log(base);
  return Math.min(a, Number.isFinite(value) ? value : Math.exp(logarithm()));
}

/** 7.12; between two boundaries as `linear` on them (8.5). */
export function piecewiseLinear({ boundaries, values }, p) {
  const next = boundaries.findIndex((boundary) => p < boundary);
  if (next < 0) return values.at(-1);
  if (next === 0) return values[0];
  const [s, t] = [boundaries[next - 1], boundaries[next]];
  const ends = { a: values[next - 1], b: values[next], c: 0, s, t, extended: false };
  return interpolate("linear", ends, p);
}

/** 7.13 */
export function piecewiseConstant({ boundaries, values }, p, left) {
  const next = boundaries.findIndex((boundary) => p < boundary || (left && p === boundary));
  return values.at(next);
}
