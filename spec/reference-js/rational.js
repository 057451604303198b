// Exact rationals over BigInt, and the float64 nearest to one (3.2, 3.9).

import { refuse } from "./problems.js";

/** Beyond this many bits a fraction is left as it is: reducing it would cost more than it saves. */
const REDUCED = 1n << 2048n;

export class Rational {
  /** @param {bigint} n @param {bigint} d greater than 0 */
  constructor(n, d = 1n) {
    if (d !== 1n && d < REDUCED) {
      const divisor = gcd(n < 0n ? -n : n, d);
      n /= divisor;
      d /= divisor;
    }
    this.n = n;
    this.d = d;
  }

  /** The rational of a decimal text such as `12.5e-3`. */
  static parse(text) {
    const [, sign, whole, fraction = "", exponent = "0"] =
      /^(-?)([0-9]+)(?:\.([0-9]+))?(?:[eE]([+-]?[0-9]+))?$/.exec(text);
    const digits = BigInt(sign + whole + fraction);
    const power = Number(exponent) - fraction.length;
    return power >= 0
      ? new Rational(digits * 10n ** BigInt(power))
      : new Rational(digits, 10n ** BigInt(-power));
  }

  /** The rational that a finite float64 is. */
  static ofFloat(value) {
    let power = 0n;
    while (!Number.isInteger(value)) {
      value *= 2;
      power += 1n;
    }
    return new Rational(BigInt(value), 1n << power);
  }

  add(other) {
    return new Rational(this.n * other.d + other.n * this.d, this.d * other.d);
  }

  sub(other) {
    return new Rational(this.n * other.d - other.n * this.d, this.d * other.d);
  }

  mul(other) {
    return new Rational(this.n * other.n, this.d * other.d);
  }

  div(other) {
    return other.n < 0n
      ? new Rational(-this.n * other.d, this.d * -other.n)
      : new Rational(this.n * other.d, this.d * other.n);
  }

  /** Negative, 0 or positive as this is less than, equal to or greater than `other`. */
  compare(other) {
    const left = this.n * other.d;
    const right = other.n * this.d;
    return left < right ? -1 : left > right ? 1 : 0;
  }

  /** @returns {bigint} */
  floor() {
    const quotient = this.n / this.d;
    return quotient * this.d > this.n ? quotient - 1n : quotient;
  }

  /** @returns {bigint} */
  ceil() {
    return -new Rational(-this.n, this.d).floor();
  }

  /** The nearest whole number, the even one of two. @returns {bigint} */
  nearest() {
    const floor = this.floor();
    const twice = this.sub(new Rational(floor)).mul(TWO).compare(ONE);
    return twice > 0 || (twice === 0 && floor % 2n !== 0n) ? floor + 1n : floor;
  }

  /** The nearest float64, the even one of two; what is beyond float64 is refused (3.9). */
  toNumber() {
    if (this.n < 0n) return -new Rational(-this.n, this.d).toNumber();
    const number = this.d === 1n ? Number(this.n) : quotient(this);
    return number < Infinity ? number : refuse("out-of-range", "");
  }
}

function quotient({ n, d }) {
  const magnitude = bits(n) - bits(d); // n/d is between 2^(magnitude - 1) and 2^(magnitude + 1)
  if (magnitude < -1021) return Number(new Rational(n << 1074n, d).nearest()) * 2 ** -1074;
  // 64 bits and more of the quotient, the last of which says whether any is left: Number rounds
  // them once.
  const shift = Math.max(66 - magnitude, 0);
  const numerator = n << BigInt(shift);
  const digits = (numerator / d) | (numerator % d === 0n ? 0n : 1n);
  const half = Math.floor(shift / 2);
  return Number(digits) * 2 ** -half * 2 ** (half - shift);
}

function gcd(a, b) {
  while (b !== 0n) [a, b] = [b, a % b];
  return a;
}

function bits(n) {
  const hexadecimal = n.toString(16);
  return hexadecimal.length * 4 - Math.clz32(parseInt(hexadecimal[0], 16)) + 28;
}

/**
 * `base` to a whole power. Beyond 2^±4096, where no float64 comes, it is held there; of powers of
 * many bits some 4096 are kept.
 * @param {Rational} base greater than 0
 * @param {bigint} exponent
 */
export function power(base, exponent) {
  const limit = Math.ceil((4096 * Math.LN2) / Math.abs(log(base)));
  let left = exponent > limit ? BigInt(limit) : exponent;
  let result = ONE;
  for (let square = base; left > 0n; left >>= 1n) {
    if (left & 1n) result = cut(result.mul(square));
    square = cut(square.mul(square));
  }
  return result;
}

function cut(value) {
  const spare = Math.min(bits(value.n), bits(value.d)) - 4096;
  return spare < 4096 ? value : new Rational(value.n >> BigInt(spare), value.d >> BigInt(spare));
}

/** The natural logarithm of a rational greater than 0, to about 15 digits. */
export function log(value) {
  const more = value.sub(ONE).toNumber();
  return Math.abs(more) < 0.5 ? Math.log1p(more) : logarithm(value.n) - logarithm(value.d);
}

function logarithm(n) {
  const shift = Math.max(bits(n) - 64, 0);
  return Math.log(Number(n >> BigInt(shift))) + shift * Math.LN2;
}

export const ZERO = new Rational(0n);
export const ONE = new Rational(1n);
export const TWO = new Rational(2n);
export const max = (a, b) => (a.compare(b) >= 0 ? a : b);
