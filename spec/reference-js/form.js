// The form of a document (1.1 to 1.8, section 7): from JSON values to a document of typed nodes, or
// the first problem of its form.

import * as read from "./fields.js";
import { Num } from "./json.js";
import { below, refuse } from "./problems.js";

/**
 * A node. A list has `stages`, a combinator, a wrapper and a `repeat` have `children`; all kinds
 * but lists have `fields`. `path` is the pointer of the node, `mapping` that of the mapping of its
 * fields (9.4).
 * @typedef {{kind: string, path: string, mapping: string, fields: object, stages?: Node[],
 *   children?: Node[]}} Node
 */

const NAME = /^[a-z][a-z0-9_]*$/;

const SPAN = { length: read.position, until: read.position };
const INITIAL = { initial: read.anyNumber, ...SPAN };
const ENDS = { ...INITIAL, final: read.anyNumber };
const AFTER = { after: read.choice("hold", "extend") };
const PIECES = { boundaries: read.list(read.position), ...SPAN };
const CHILD = { schedule: node, ...SPAN };
const CHILDREN = { of: read.list(node), ...SPAN };

/** The fields of every kind and the names of those that must stand. */
const KINDS = {
  constant: [{ value: read.anyNumber, ...SPAN }],
  linear: [{ ...ENDS, ...AFTER }, "final"],
  cosine: [{ ...ENDS, ...AFTER, exponent: read.positiveNumber }, "final"],
  polynomial: [
    { ...ENDS, ...AFTER, power: read.positiveNumber, origin: read.choice("final", "initial") },
    "final",
    "power",
  ],
  geometric: [{ ...ENDS, ...AFTER, asymptote: read.anyNumber }, "final"],
  inverse: [{ ...ENDS, asymptote: read.anyNumber }, "final"],
  exponential: [
    { ...INITIAL, rate: read.positiveNumber, every: read.duration, staircase: read.boolean },
    "rate",
    "every",
  ],
  inverse_sqrt: [{ ...INITIAL, timescale: read.duration }, "timescale"],
  power_law: [
    { ...INITIAL, timescale: read.duration, exponent: read.positiveNumber },
    "timescale",
    "exponent",
  ],
  token_power: [
    {
      ...INITIAL,
      amplitude: read.positiveNumber,
      exponent: read.anyNumber,
      count_from: read.choice("run", "stage"),
    },
    "amplitude",
    "exponent",
  ],
  piecewise_linear: [{ ...PIECES, values: read.list(read.anyNumber) }, "boundaries", "values"],
  piecewise_constant: [{ ...PIECES, values: read.list(read.anyNumber, 2) }, "boundaries", "values"],
  repeat: [
    {
      ...CHILD,
      period: read.duration,
      count: read.whole(1),
      stretch: read.positiveNumber,
      shrink: read.positiveNumber,
      toward: read.anyNumber,
    },
    "schedule",
  ],
  product: [CHILDREN, "of"],
  sum: [CHILDREN, "of"],
  clamp: [{ ...CHILD, minimum: read.anyNumber, maximum: read.anyNumber }, "schedule"],
  quantize: [{ ...CHILD, every: read.duration }, "schedule", "every"],
  advance: [{ ...CHILD, by: read.position }, "schedule"],
};

/** Kinds of which at least one of two fields must stand. */
const EITHER = { repeat: ["period", "count"], clamp: ["minimum", "maximum"] };

/** @returns {Node} */
function node(value, path) {
  if (Array.isArray(value))
    return { kind: "list", path, mapping: path, fields: {}, stages: read.list(node)(value, path) };
  if (!(value instanceof Map)) refuse("wrong-type", path);
  const kinds = [...value.keys()];
  if (kinds.some((kind) => !Object.hasOwn(KINDS, kind))) refuse("unknown-kind", path);
  if (kinds.length !== 1) refuse("one-kind", path);
  const [kind] = kinds;
  const at = below(path, kind);
  const [readers, ...required] = KINDS[kind];
  const given = value.get(kind) === null && kind === "constant" ? new Map() : value.get(kind);
  const { schedule, of, ...fields } = read.mapping(given, at, readers, required);
  if (fields.length && fields.until) refuse("conflicting-fields", at);
  if (EITHER[kind]?.every((name) => fields[name] === undefined)) refuse("missing-field", at);
  // what it starts with, under the name that all others have
  if (kind === "constant") fields.initial = fields.value;
  return { kind, path, mapping: at, fields, children: schedule ? [schedule] : of };
}

function base(value, path) {
  if (typeof value === "string") return read.choice("absolute")(value, path);
  return read.positiveNumber(value, path);
}

/** A mapping by names; `accepts` refuses a name. */
const named = (item, accepts) => (value, path) => {
  if (!(value instanceof Map)) refuse("wrong-type", path);
  return new Map(
    Array.from(value, ([name, each]) => [accepts(name, path), item(each, below(path, name))]),
  );
};

const namedNodes = named(node, (name, path) => (NAME.test(name) ? name : refuse("bad-name", path)));
const namedBases = named(base, (name) => name);

/**
 * `root` is the pointer of the field that holds the schedules.
 * @typedef {{schedules: Map<string, Node>, bases: Map<string, number | "absolute">, root: string,
 *   axis: string, sample: string, rounding: string, training: object}} Document
 */

/** The document that a JSON value means. @returns {Document} */
export function readForm(value) {
  if (!(value instanceof Map)) refuse("wrong-type", "");
  if (!value.has("lrspec")) refuse("missing-field", "");
  const version = value.get("lrspec");
  // 1.3
  if (!(version instanceof Num && version.value === 1)) refuse("unsupported-version", "/lrspec");
  const several = value.has("schedules");
  const document = read.mapping(new Map([...value].filter(([key]) => !key.startsWith("x-"))), "", {
    lrspec: () => 1,
    $schema: read.text,
    name: read.text,
    description: read.text,
    base: several ? namedBases : base,
    axis: read.choice("steps", "samples", "tokens"),
    sample: read.choice("start", "middle", "end"),
    rounding: read.choice("none", "floor", "ceil", "nearest"),
    training: (training, path) => read.mapping(training, path, read.TRAINING),
    schedule: node,
    schedules: namedNodes,
  });
  if (several && document.schedule) refuse("conflicting-fields", "");
  if (!several && !document.schedule) refuse("missing-field", "");
  if (document.schedules?.size === 0) refuse("missing-field", "/schedules");
  const byName = several ? document.base : document.base && new Map([["lr", document.base]]);
  const schedules = document.schedules ?? new Map([["lr", document.schedule]]);
  for (const name of byName?.keys() ?? []) {
    if (!NAME.test(name)) refuse("bad-name", "/base"); // 4.5
    if (!schedules.has(name)) refuse("base-name", below("/base", name));
  }
  return {
    schedules,
    bases: byName ?? new Map(),
    root: several ? "/schedules" : "/schedule",
    axis: document.axis ?? "steps",
    sample: document.sample ?? "start",
    rounding: document.rounding ?? "none",
    training: document.training ?? {},
  };
}
