// What is refused: a problem with a code of clause 9.3 and a JSON pointer (9.4).

export class Problem extends Error {
  constructor(code, path) {
    super(`${code} at "${path}"`);
    this.code = code;
    this.path = path;
  }
}

/** @returns {never} */
export function refuse(code, path) {
  throw new Problem(code, path);
}

/** Refuses something at `path` that needs a span with an end (5.10). @returns {never} */
export const lengthNeeded = (path) => refuse("length-needed", path);

/** The pointer of a field or an item below another pointer (RFC 6901). */
export function below(path, key) {
  return `${path}/${String(key).replaceAll("~", "~0").replaceAll("/", "~1")}`;
}
