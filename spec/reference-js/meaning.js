// What a document must keep beyond its form and can be seen without the facts of a run: the first
// problem of its meaning (9.3).

import { below, refuse } from "./problems.js";
import { COMBINATORS, PIECEWISE, WRAPPERS, isOpen } from "./kinds.js";

// What stands before a node (6.3): a value, nothing, or the 1 of an absolute curve (6.4).
const VALUE = "value";
const NOTHING = "nothing";
const ABSOLUTE = "absolute";

export function checkMeaning(document) {
  if (document.rounding !== "none" && document.axis !== "steps")
    refuse("rounding-axis", "/rounding");
  for (const [name, schedule] of document.schedules) {
    const before = document.bases.get(name) === "absolute" ? ABSOLUTE : VALUE;
    check(schedule, { before, nothingFollows: true, repeated: false });
  }
}

/** `nothingFollows`: `after: extend` may stand here (6.7). `repeated`: inside a `repeat`. */
function check(node, place) {
  CHECKS[node.kind]?.(node, place);
  checkInitial(node, place.before);
  if (node.fields.after === "extend" && !place.nothingFollows)
    refuse("after-misplaced", below(node.mapping, "after"));
  if (node.kind === "list") {
    checkStages(node);
    node.stages.forEach((stage, index) => {
      const last = index === node.stages.length - 1;
      check(stage, {
        ...place,
        before: index === 0 ? place.before : VALUE,
        nothingFollows: last && place.nothingFollows,
      });
    });
  }
  const repeated = place.repeated || node.kind === "repeat";
  node.children?.forEach((child) =>
    check(child, { before: beforeChild(node, place.before), nothingFollows: true, repeated }),
  );
}

function beforeChild({ kind }, before) {
  if (kind === "sum") return before === ABSOLUTE ? ABSOLUTE : NOTHING;
  return kind === "product" ? VALUE : before;
}

function checkStages({ stages }) {
  const open = stages.findIndex(isOpen);
  if (open < 0) return;
  for (const stage of stages.slice(open + 1)) {
    if (isOpen(stage)) refuse("two-open-stages", stage.path); // 5.4
    if (stage.fields.until) refuse("until-after-open", stage.fields.until.path);
  }
}

/** Refuses where 6.3 or 6.4 ask for what is not written. Nodes that only hand it on are not asked. */
function checkInitial(node, before) {
  const passesOn = WRAPPERS.has(node.kind) || node.kind === "list" || node.kind === "repeat";
  const hasIts = before === VALUE || (before === NOTHING && COMBINATORS.has(node.kind));
  if (!passesOn && !hasIts && !writesInitial(node)) refuse("initial-required", node.mapping);
}

/**
 * Whether what a node starts with is written (6.4). A sum needs no look: 6.3 asks that of each of
 * its children.
 */
function writesInitial(node) {
  if (node.kind === "list") return writesInitial(node.stages[0]);
  if (node.kind === "sum" || PIECEWISE.has(node.kind)) return true;
  return node.children ? node.children.some(writesInitial) : node.fields.initial !== undefined;
}

const CHECKS = {
  cosine: wholePower("exponent"),
  polynomial: wholePower("power"),
  geometric: (node) => asymptoteSide(node),
  inverse: (node) => asymptoteSide(node),
  token_power(node, { repeated }) {
    if (repeated) refuse("token-power-in-repeat", node.path);
  },
  piecewise_linear: pieces(0),
  piecewise_constant: pieces(1),
  repeat({ mapping, fields }) {
    if (fields.stretch < 1 && fields.count === undefined) refuse("stretch-needs-count", mapping);
  },
  clamp({ mapping, fields }) {
    if (fields.minimum > fields.maximum) refuse("bounds-order", mapping);
  },
};

function wholePower(field) {
  return ({ mapping, fields }) => {
    const extended = fields.after === "extend" && fields.origin !== "initial";
    if (extended && !Number.isInteger(fields[field] ?? 1))
      refuse("after-needs-whole-power", below(mapping, field)); // 6.7
  };
}

/**
 * 7.6: both ends on one side of the asymptote. An end that is not written is looked at when it is
 * known (6.5).
 */
export function asymptoteSide({ mapping, fields }, inherited) {
  const c = fields.asymptote ?? 0;
  const initial = fields.initial ?? inherited ?? fields.final;
  if (fields.final === c || initial === c || fields.final > c !== initial > c)
    refuse("asymptote-side", mapping);
}

function pieces(more) {
  return ({ mapping, fields: { boundaries, values } }) => {
    if (values.length !== boundaries.length + more)
      refuse("values-number", below(mapping, "values"));
    increasing(
      boundaries.map(({ unit, amount }) => (unit === "step" ? amount.toNumber() : undefined)),
      boundaries,
    );
  };
}

/** 3.8: boundaries increase. A number that is undefined is not known yet. */
export function increasing(numbers, boundaries) {
  boundaries.forEach(({ path }, index) => {
    if (numbers[index] <= numbers[index - 1]) refuse("boundaries-order", path);
  });
}
