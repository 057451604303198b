// Where the stages of a list lie (section 5), as exact rationals along the axis.

import { hasOwnPeriods, isOpen } from "./kinds.js";
import { firstOf, periodsOf } from "./periods.js";
import { lengthNeeded, refuse } from "./problems.js";
import { Rational } from "./rational.js";

/**
 * A span (5.1). `end` is null where it has none; then `endless` refuses what needs one (5.10).
 * `bounded` is that of 5.7.
 * @typedef {(path: string) => never} Endless
 * @typedef {{start: Rational, end: Rational | null, bounded: boolean, endless: Endless}} Span
 * @typedef {import("./form.js").Node} Node
 * @typedef {import("./units.js").Units} Units
 * @typedef {import("./units.js").Ruler} Ruler
 */

/** The ruler that a list, the run or a period is (3.4). @returns {Ruler} */
export function rulerOf({ start, end, endless }, repeated) {
  return { start, span: end && end.sub(start), endless, repeated };
}

/** The periods of a `repeat`; `span` is asked for where `count` stands alone. */
export function periodsIn(node, span, units, ruler) {
  const { period, count, stretch } = node.fields;
  const ratio = Rational.parse(String(stretch ?? 1)); // 7.14: its shortest decimal text
  const first = period
    ? units.positive(period, ruler)
    : firstOf(span.end.sub(span.start), ratio, count);
  return periodsOf(first, ratio, period ? units.round : null);
}

/** The end that a written `length` or `until` gives a node that starts at `start`, or null. */
export function writtenEnd({ fields: { length, until } }, start, units, ruler) {
  if (length) return start.add(units.distance(length, ruler, start));
  if (!until) return null;
  const end = ruler.start.add(units.distance(until, ruler, ruler.start));
  return end.compare(start) < 0 ? refuse("until-before-start", until.path) : end;
}

/** Where a stage that is not open ends. */
function endOf(node, start, units, ruler) {
  if (node.kind !== "list")
    return writtenEnd(node, start, units, ruler) ?? start.add(ownLength(node, units, ruler));
  const inner = { ...ruler, start, span: null };
  return node.stages.reduce((at, stage) => endOf(stage, at, units, inner), start);
}

/** Where a stage that is not open starts, when what stands before it does not say so (5.6). */
function startOf(node, end, units, ruler) {
  const { length } = node.fields;
  if (length) return end.sub(units.distance(length, ruler, end, true));
  if (node.kind !== "list") return end.sub(ownLength(node, units, ruler));
  const fixed = lastUntil(node.stages);
  const at = node.stages
    .slice(fixed + 1)
    .reduceRight((from, stage) => startOf(stage, from, units, ruler), end);
  return fixed < 0 ? at : at.sub(units.distance(node.stages[fixed].fields.until, ruler, at, true));
}

function ownLength(node, units, ruler) {
  return periodsIn(node, null, units, ruler).start(node.fields.count);
}

const lastUntil = (stages) => stages.findLastIndex(({ fields }) => fields.until !== undefined);

/**
 * The spans of the stages of a list on its own span, and which of them are laid from the list's
 * end. `backward` says that the list itself is.
 * @param {Node} list
 * @param {Span} span
 * @returns {{span: Span, backward: boolean}[]}
 */
export function layStages({ path, stages }, span, units, ruler, backward) {
  const open = stages.findIndex(isOpen);
  const last = stages.length - 1;
  const followed = open >= 0 && open < last;
  if (followed && span.end === null) span.endless(stages[open].path); // 5.5
  /** The first stage that is laid from the list's end (5.6). */
  const firstBackward = open >= 0 ? open + 1 : backward ? lastUntil(stages) + 1 : stages.length;
  const edges = new Array(stages.length + 1);
  edges[0] = span.start;
  for (let i = 0; i < firstBackward && i !== open; i += 1)
    edges[i + 1] = endOf(stages[i], edges[i], units, ruler);
  if (firstBackward <= last || backward) edges[last + 1] = span.end;
  for (let i = last; i >= firstBackward; i -= 1)
    edges[i] = startOf(stages[i], edges[i + 1], units, ruler);
  if (open >= 0 && open === last) edges[last + 1] = openEnd(span, edges[last]);

  const isBefore = (a, b) => a !== null && a.compare(b) < 0;
  if (open < 0) {
    if (span.bounded && isBefore(span.end, edges[last + 1])) refuse("does-not-fit", path); // 5.8
  } else if (isBefore(edges[open + 1], edges[open])) refuse("nothing-left", stages[open].path);
  return stages.map((_, i) => {
    const bounded = i !== open || followed || span.bounded; // 5.7
    const endless = span.end === null ? span.endless : lengthNeeded;
    const own = { start: edges[i], end: edges[i + 1], bounded, endless };
    return { span: own, backward: i >= firstBackward };
  });
}

/**
 * Where an open last stage ends; where nothing is left for it in a span that is not bounded,
 * nowhere (5.8).
 */
function openEnd({ end, bounded }, start) {
  return end !== null && !bounded && end.compare(start) <= 0 ? null : end;
}
