// A curve: a document bound to the facts of a run, which gives a value at every step (sections 1, 2
// and 4).

import { Binder } from "./bind.js";
import { resolve } from "./facts.js";
import { readForm } from "./form.js";
import { checkMeaning } from "./meaning.js";
import { Position } from "./nodes.js";
import { saturate } from "./operators.js";
import { lengthNeeded } from "./problems.js";
import { Rational, ZERO } from "./rational.js";
import { Units } from "./units.js";

/** The document that a JSON value means, or the first problem of its form and meaning. */
export function readDocument(value) {
  const document = readForm(value);
  checkMeaning(document);
  return document;
}

/**
 * @param {import("./form.js").Document} document
 * @param {Map<string, unknown>} facts those that the host gives
 * @returns {(step: bigint) => number}
 */
export function bind(document, facts) {
  const { schedule, clock, steps, noSteps, base } = resolve(document, facts);
  const known = steps !== null;
  const run = {
    start: clock.edge(ZERO, "/axis"),
    end: known ? clock.edge(new Rational(steps), "/axis") : null,
    bounded: false,
    endless: known ? lengthNeeded : noSteps,
  };
  const root = new Binder(new Units(clock, document.rounding), base).root(schedule, run);
  const scale = typeof base === "number" ? base : 1;
  return (step) => {
    const { point, left } = clock.position(new Rational(step), document.sample);
    return saturate(root.value(new Position(point, left)) * scale);
  };
}
