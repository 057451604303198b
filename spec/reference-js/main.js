// Speaks the protocol of ../CONFORMANCE.md: one JSON request a line on standard input, one JSON
// answer a line on standard output.

import { bind, readDocument } from "./curve.js";
import { NO_LIMITS, parse, write } from "./json.js";
import { Problem } from "./problems.js";

const GREATEST_FLOAT32 = 3.4028234663852886e38;

/** The answer to a request, without its id. @param {Map<string, any>} request */
function answer(request) {
  return request.has("format") ? readingOf(request) : valuesOf(request);
}

function valuesOf(request) {
  const document = readDocument(request.get("document"));
  const curve = bind(document, request.get("facts") ?? new Map());
  const inProfile = request.get("profile") === "float32" ? toFloat32 : (value) => value;
  const steps = (request.get("steps") ?? []).map(wholeStep);
  return { values: steps.map((step) => String(inProfile(curve(step)))) };
}

/** A step is a whole number ≥ 0 (2.1). */
function wholeStep(text) {
  if (!/^[0-9]+$/.test(text)) throw new RangeError(`not a step: ${text}`);
  return BigInt(text);
}

function toFloat32(value) {
  return Math.min(Math.max(Math.fround(value), -GREATEST_FLOAT32), GREATEST_FLOAT32);
}

function readingOf(request) {
  if (request.get("format") !== "json") return { declined: "only JSON texts are read" };
  const bytes = request.has("base64") ? Buffer.from(request.get("base64"), "base64") : null;
  const document = parse(bytes ?? request.get("text"));
  readDocument(document);
  return { document };
}

function respond(line) {
  let id = null;
  try {
    const request = parse(line, NO_LIMITS);
    id = request.get("id");
    return { id, ...answer(request) };
  } catch (fault) {
    if (fault instanceof Problem) return { id, error: { code: fault.code, path: fault.path } };
    console.error(fault);
    return { id, error: { code: "internal-fault", path: "" } }; // no code of 9.3: the case fails
  }
}

/**
 * The lines of a stream of UTF-8; unlike those of node:readline they end at line feeds only, as
 * JSON Lines do.
 */
async function* lines(stream) {
  let rest = "";
  for await (const chunk of stream.setEncoding("utf8")) {
    const [first, ...others] = chunk.split("\n");
    rest += first;
    for (const next of others) {
      yield rest;
      rest = next;
    }
  }
  if (rest !== "") yield rest;
}

for await (const line of lines(process.stdin)) {
  process.stdout.write(`${write(respond(line))}\n`);
}
