// The kinds that go from one value to another (7.2 to 7.7), in float64 by clauses 8.2 to 8.4.

/**
 * @typedef {{a: number, b: number, c: number, s: number, t: number, extended: boolean, exponent:
 *   number, origin: string}} Ends `a` and `b` are the values at the edges `s` and `t`, `c` the
 *   asymptote, `exponent` the exponent or power.
 */

/** The value of `kind` at `p`. @param {Ends} ends */
export function interpolate(kind, ends, p) {
  const { a, b, c, s, t, extended } = ends;
  if (s === t) return b;
  if (p <= s || a === b) return a;
  if (p === t || (p > t && !extended)) return b;
  const isLarge = !Number.isFinite(b - a) || !Number.isFinite(a - c);
  if (isLarge) return 4 * interpolate(kind, { ...ends, a: a / 4, b: b / 4, c: c / 4 }, p);
  const L = t - s;
  if (p > t && kind === "cosine")
    return interpolate(kind, { ...ends, extended: false }, fold(s, L, p - s));
  const fromInitial = Math.abs(a) < Math.abs(b); // lo is a
  const [lo, hi] = fromInitial ? [a, b] : [b, a];
  const [d, o] = fromInitial ? [p - s, t - p] : [t - p, p - s];
  const u = (p - s) / L;
  const at = { ...ends, lo, hi, xi: d / L, eta: o / L, u, fromInitial, beyond: p > t };
  const value = VALUES[kind](at);
  return p > t ? value : Math.min(Math.max(value, Math.min(a, b)), Math.max(a, b));
}

/** Where a cosine that goes on is read within its span (8.4). */
function fold(s, L, m) {
  const r = m % (2 * L);
  return r <= L ? s + r : s + 2 * L - r;
}

const VALUES = {
  linear: (at) => weighted(at, at.xi),
  cosine: (at) => weighted(at, cosineWeight(at)),
  polynomial,
  geometric,
  inverse(at) {
    const kappa = (at.hi - at.c) / (at.lo - at.c);
    return weighted(at, at.xi / (at.xi + at.eta * kappa));
  },
};

function weighted({ lo, hi }, w) {
  return lo + (hi - lo) * w;
}

function cosineWeight({ xi, eta, exponent, fromInitial }) {
  const near = xi <= 0.5;
  const S = (z) => Math.sin((Math.PI / 2) * z) ** 2;
  if (exponent === 1) return near ? S(xi) : 1 - S(eta);
  if (!fromInitial)
    return (near ? Math.sin((Math.PI / 2) * xi) : Math.cos((Math.PI / 2) * eta)) ** (2 * exponent);
  return -Math.expm1(
    near ? exponent * Math.log1p(-S(xi)) : 2 * exponent * Math.log(Math.sin((Math.PI / 2) * eta)),
  );
}

function polynomial(at) {
  const { lo, hi, xi, eta, exponent, origin, fromInitial, beyond } = at;
  if (origin === (fromInitial ? "initial" : "final")) return weighted(at, raise(xi, exponent));
  if (beyond) return hi + (lo - hi) * raise(eta, exponent);
  return weighted(at, complement(xi, eta, exponent));
}

function raise(x, power) {
  switch (power) {
    case 1:
      return x;
    case 2:
      return x * x;
    case 3:
      return x * x * x;
    case 0.5:
      return Math.sqrt(x);
    default:
      return x ** power;
  }
}

/** 1 − η^power. */
function complement(xi, eta, power) {
  switch (power) {
    case 1:
      return xi;
    case 2:
      return xi * (1 + eta);
    case 3:
      return xi * (1 + eta + eta * eta);
    case 0.5:
      return xi / (1 + Math.sqrt(eta));
    default:
      return -Math.expm1(xi <= 0.5 ? power * Math.log1p(-xi) : power * Math.log(eta));
  }
}

function geometric({ a, b, c, lo, hi, xi, u, fromInitial, beyond }) {
  if (c === 0) return towards(a, b, u);
  const ratio = (hi - c) / (lo - c);
  const lambda = ratio >= 0.5 && ratio <= 2 ? Math.log1p((hi - lo) / (lo - c)) : Math.log(ratio);
  const small = Math.abs(xi * lambda) <= 1 || (beyond && !fromInitial); // 8.3, 8.4
  return lo + (small ? (lo - c) * Math.expm1(xi * lambda) : towards(lo - c, hi - c, xi) - (lo - c));
}

/** from·(to/from)^u for numbers of one sign, also where the ratio is no normal float64. */
function towards(from, to, u) {
  const ratio = to / from;
  if (ratio >= 2 ** -1022 && ratio < Infinity) return from * ratio ** u;
  return (
    Math.sign(from) * Math.exp((1 - u) * Math.log(Math.abs(from)) + u * Math.log(Math.abs(to)))
  );
}
