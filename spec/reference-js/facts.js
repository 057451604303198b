// The facts of a run (section 4): those of the document and those that the host gives, as one.

import { Clock } from "./clock.js";
import { TRAINING, mapping, positiveNumber } from "./fields.js";
import { Problem, below, refuse } from "./problems.js";
import { ZERO } from "./rational.js";
import { Units } from "./units.js";

/**
 * @typedef {number | "absolute" | null} Base
 * @param {import("./form.js").Document} document
 * @param {Map<string, unknown>} given what the host gives: facts, `name` and `override`
 * @returns {{schedule: import("./form.js").Node, clock: Clock, steps: bigint | null,
 *   noSteps: (path: string) => never, base: Base}} `noSteps` refuses what needs `steps`
 */
export function resolve(document, given) {
  const name = given.get("name") ?? "lr";
  const override = given.get("override") === true;
  const schedule = document.schedules.get(name) ?? refuse("not-scheduled", document.root);
  const host = readHost(given);

  /** The one of two values of a fact that holds (4.1); they conflict where `differ` says so. */
  function one(mine, theirs, path, differ = (a, b) => a !== b) {
    if (theirs === undefined) return mine;
    if (mine !== undefined && !override && differ(mine, theirs)) refuse("conflicting-fact", path);
    return theirs;
  }
  const fact = (key, differ) =>
    one(document.training[key], host.training[key], below("/training", key), differ);

  const facts = {
    batches: fact("batch_size", batchesDiffer),
    sequenceLength: fact("sequence_length"),
    stepsPerEpoch: fact("steps_per_epoch"),
  };
  const inSteps = new Units(new Clock("steps", facts), "none");
  const mine = stepsOf(document.training.steps, inSteps, "out-of-range");
  const theirs = stepsOf(host.training.steps, inSteps, "invalid-fact");
  const steps = one(mine.steps, theirs.steps, "/training/steps") ?? null;

  const base = document.bases.get(name);
  const basePath = document.root === "/schedules" ? below("/base", name) : "/base";
  if (base === "absolute" && host.base) refuse("conflicting-fact", basePath); // 4.4
  return {
    schedule,
    clock: new Clock(document.axis, facts),
    steps,
    noSteps: theirs.none ?? mine.none ?? ((path) => refuse("missing-fact", path)),
    base: one(base, host.base, basePath) ?? null,
  };
}

/**
 * `training.steps` as a whole number (4.2), or `none`, which refuses what needs it, where it cannot
 * be converted. `zero` is the code for no steps at all.
 */
function stepsOf(quantity, inSteps, zero) {
  if (quantity === undefined) return {};
  try {
    const steps = inSteps.distance(quantity, { start: ZERO }, ZERO).ceil();
    return { steps: steps > 0n ? steps : refuse(zero, quantity.path) };
  } catch (problem) {
    if (problem.code !== "missing-fact") throw problem;
    return { none: () => refuse(problem.code, problem.path) };
  }
}

/** The facts of the host; whatever is wrong with one is `invalid-fact`. */
function readHost(given) {
  const { base, ...training } = Object.fromEntries(given);
  for (const other of ["name", "override"]) delete training[other];
  try {
    return {
      training: mapping(new Map(Object.entries(training)), "/training", TRAINING),
      base: base === undefined ? undefined : positiveNumber(base, "/base"),
    };
  } catch (problem) {
    if (problem instanceof Problem) refuse("invalid-fact", problem.path);
    throw problem;
  }
}

function batchesDiffer(a, b) {
  return (
    a.length !== b.length ||
    a.some(({ start, value }, index) => start !== b[index].start || value !== b[index].value)
  );
}
