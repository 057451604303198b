// Readers of single fields: each takes a JSON value and its pointer and gives what the language
// means, or refuses (sections 1 to 4).

import { Num } from "./json.js";
import { below, refuse } from "./problems.js";
import { Rational } from "./rational.js";

const GREATEST = 1e300; // 1.5
/** 3.1 */
const POSITION =
  /^(0|[1-9][0-9]*)(\.[0-9]+)?([eE][+-]?[0-9]{1,3})?(%|([kMBT])? (step|epoch|sample|token)s?)$/;
const PREFIXES = { k: 3, M: 6, B: 9, T: 12 };

/**
 * A position or duration as written (3.1).
 * @typedef {{amount: Rational, unit: "%" | "step" | "epoch" | "sample" | "token", path: string}}
 *   Quantity
 */

/**
 * A number in the range of 1.5 and of `accepts`.
 * @returns {(value: unknown, path: string) => number}
 */
export const number =
  (accepts = (_) => true) =>
  (value, path) => {
    if (!(value instanceof Num)) refuse("wrong-type", path);
    if (Math.abs(value.value) > GREATEST || !accepts(value.value)) refuse("out-of-range", path);
    return value.value;
  };

export const anyNumber = number();
export const positiveNumber = number((value) => value > 0);

/** A whole number from `least` on. @returns {(value: unknown, path: string) => bigint} */
export const whole = (least) => (value, path) => {
  if (!(value instanceof Num && Number.isInteger(value.value))) refuse("wrong-type", path);
  return BigInt(number((found) => found >= least)(value, path));
};

/** One of some words. */
export const choice =
  (...words) =>
  (value, path) => {
    if (typeof value !== "string") refuse("wrong-type", path);
    if (!words.includes(value)) refuse("wrong-value", path);
    return value;
  };

export function text(value, path) {
  return typeof value === "string" ? value : refuse("wrong-type", path);
}

export function boolean(value, path) {
  return typeof value === "boolean" ? value : refuse("wrong-type", path);
}

/**
 * A whole number of steps, of at least `least`, or a text with a unit.
 * @returns {(value: unknown, path: string) => Quantity}
 */
export const quantity =
  (least, percent = true) =>
  (value, path) => {
    if (value instanceof Num) {
      if (!Number.isInteger(value.value)) refuse("bad-position", path);
      number((found) => found >= least)(value, path);
      return { amount: wholeNumber(value), unit: "step", path };
    }
    const [, integer, fraction = "", exponent = "", , prefix, unit = "%"] =
      POSITION.exec(text(value, path)) ?? refuse("bad-position", path);
    if (unit === "%" && !percent) refuse("bad-position", path);
    const amount = Rational.parse(integer + fraction + exponent);
    const prefixed = amount.mul(new Rational(10n ** BigInt(PREFIXES[prefix] ?? 0)));
    return { amount: prefixed, unit, path };
  };

/** The exact whole number that a text states (3.2); within 2^53 it is that of the float64. */
function wholeNumber(value) {
  const exact = Number.isSafeInteger(value.value)
    ? Rational.ofFloat(value.value)
    : Rational.parse(value.text);
  return exact.d === 1n ? exact : Rational.ofFloat(value.value);
}

export const position = quantity(0);
export const duration = quantity(1);

/** A list of at least `least` items. */
export const list =
  (item, least = 1) =>
  (value, path) => {
    if (!Array.isArray(value)) refuse("wrong-type", path);
    if (value.length < least) refuse("too-few-items", path);
    return value.map((each, index) => item(each, below(path, index)));
  };

/**
 * A closed mapping (1.2) as an object. `fields` are the readers of its fields by name, `required`
 * the names that must stand.
 */
export function mapping(value, path, fields, required = []) {
  if (!(value instanceof Map)) refuse("wrong-type", path);
  const found = {};
  for (const [key, item] of value) {
    if (!Object.hasOwn(fields, key)) refuse("unknown-field", path);
    found[key] = fields[key](item, below(path, key));
  }
  if (required.some((name) => !value.has(name))) refuse("missing-field", path);
  return found;
}

/** `training.batch_size`: a number or a batch schedule (2.3), as a list of starts and values. */
export function batchSize(value, path) {
  if (!Array.isArray(value)) return [{ start: 0n, value: whole(1)(value, path) }];
  const read = (item, at) =>
    mapping(item, at, { start: whole(0), value: whole(1) }, ["start", "value"]);
  const batches = list(read)(value, path);
  batches.forEach(({ start }, index) => {
    const ordered = index === 0 ? start === 0n : start > batches[index - 1].start;
    if (!ordered) refuse("batch-order", below(below(path, index), "start"));
  });
  return batches.filter(
    ({ value: size }, index) => index === 0 || size !== batches[index - 1].value,
  );
}

/** The facts of 4.1 that `training` holds. */
export const TRAINING = {
  steps: quantity(1, false),
  batch_size: batchSize,
  sequence_length: whole(1),
  steps_per_epoch: positiveNumber,
};
