// What combinators and wrappers make of the values of their children (7.15, 7.16, 7.18), within the
// finite float64 (7.19).

/** 7.19 */
export function saturate(value) {
  return Math.min(Math.max(value, -Number.MAX_VALUE), Number.MAX_VALUE);
}

/** By kind, from its fields: a function of the values of the children. */
export const OPERATORS = {
  product: () => product,
  sum: () => sum,
  clamp:
    ({ minimum = -Infinity, maximum = Infinity }) =>
    ([value]) =>
      Math.min(Math.max(value, minimum), maximum),
  advance:
    () =>
    ([value]) =>
      value,
};

/**
 * In the order of the values, with the powers of two apart: a part of the product may be beyond
 * float64 where the whole is not.
 */
function product(values) {
  if (values.includes(0)) return 0;
  const [mantissa, power] = values.map(split).reduce(([m, e], [next, more]) => {
    const [product, carry] = split(m * next);
    return [product, e + more + carry];
  });
  return scale(mantissa, power);
}

/** A number other than 0 as a number near 1 and a power of two. */
function split(value) {
  const power = Math.floor(Math.log2(Math.abs(value)));
  return [scale(value, -power), power];
}

/** value·2^power, rounded once. */
function scale(value, power) {
  const half = Math.trunc(power / 2);
  return value * 2 ** half * 2 ** (power - half);
}

function sum(values) {
  const add = (a, b) => a + b;
  const plain = values.reduce(add);
  return Number.isFinite(plain)
    ? plain
    : values.map((value) => value * 2 ** -32).reduce(add) * 2 ** 32;
}
