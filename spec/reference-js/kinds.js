// What the clauses say of whole groups of kinds, from the document alone.

/**
 * Kinds that need a length besides `repeat` with `count` alone (5.10), which are those that
 * interpolate.
 */
export const INTERPOLATING = new Set(["linear", "cosine", "polynomial", "geometric", "inverse"]);
export const COMBINATORS = new Set(["product", "sum"]);
export const WRAPPERS = new Set(["clamp", "quantize", "advance"]);
export const PIECEWISE = new Set(["piecewise_linear", "piecewise_constant"]);

/** Whether a node has a length that is written (5.3). */
export const isWritten = ({ fields }) => (fields.length ?? fields.until) !== undefined;

/** Whether the periods of a `repeat` give it a length of its own (5.3). */
export const hasOwnPeriods = ({ kind, fields }) =>
  kind === "repeat" && fields.period !== undefined && fields.count !== undefined;

function endsByPercent(node) {
  const { length, until, period } = node.fields;
  return (length ?? until ?? (hasOwnPeriods(node) ? period : undefined))?.unit === "%";
}

/** Whether a stage is open (5.3). */
export function isOpen(node) {
  if (isWritten(node) || hasOwnPeriods(node)) return false;
  return node.kind !== "list" || node.stages.some((stage) => isOpen(stage) || endsByPercent(stage));
}
