// JSON texts (RFC 8259): read to values whose numbers keep their text (1.4), with the limits of
// clause 1.7, and written. Objects become Map, arrays Array, numbers Num.

import { refuse } from "./problems.js";

/** A number: its text, and the float64 nearest to it. */
export class Num {
  constructor(text) {
    this.text = text;
    this.value = Number(text);
  }
}

export const DOCUMENT_LIMITS = { bytes: 2 ** 23, depth: 64, nodes: 1_000_000, mappings: 20_000 };
export const NO_LIMITS = { bytes: Infinity, depth: 1000, nodes: Infinity, mappings: Infinity };

const SPACE = /[ \t\n\r]*/y;
const NUMBER = /-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?/y;
const PLAIN = /[^"\\\u0000-\u001f]*/y;
const LONE = /\p{Surrogate}/u;
const HEX = /[0-9a-fA-F]{4}/y;
const ESCAPES = { '"': '"', "\\": "\\", "/": "/", b: "\b", f: "\f", n: "\n", r: "\r", t: "\t" };
const WORDS = { true: true, false: false, null: null };

/**
 * The value of a JSON text given as a string or as bytes; refuses with the codes of reading (9.3).
 */
export function parse(source, limits = DOCUMENT_LIMITS) {
  const bytes = typeof source === "string" ? Buffer.byteLength(source) : source.length;
  if (bytes > limits.bytes) refuse("too-large", "");
  const text = (typeof source === "string" ? source : decode(source)).replace(/^\ufeff/, "");
  const reader = new Reader(text, limits);
  reader.space();
  if (reader.ended()) refuse("empty-document", "");
  const value = reader.value(0);
  reader.space();
  if (!reader.ended()) refuse("syntax", "");
  return value;
}

function decode(bytes) {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return refuse("not-text", "");
  }
}

class Reader {
  constructor(text, limits) {
    this.text = text;
    this.limits = limits;
    this.index = 0;
    this.nodes = 0;
    this.mappings = 0;
  }

  ended() {
    return this.index >= this.text.length;
  }

  match(pattern) {
    pattern.lastIndex = this.index;
    const found = pattern.exec(this.text);
    if (found === null) refuse("syntax", "");
    this.index = pattern.lastIndex;
    return found[0];
  }

  space() {
    this.match(SPACE);
  }

  /** Takes `character` where it stands next. */
  takes(character) {
    if (this.text[this.index] !== character) return false;
    this.index += 1;
    return true;
  }

  expect(character) {
    if (!this.takes(character)) refuse("syntax", "");
  }

  /** Counts a node: a value, or a key (1.7). */
  count() {
    this.nodes += 1;
    if (this.nodes > this.limits.nodes) refuse("too-many-nodes", "");
  }

  /** A value inside `depth` collections. */
  value(depth) {
    this.count();
    switch (this.text[this.index]) {
      case "{":
        return this.object(depth + 1);
      case "[":
        return this.array(depth + 1);
      case '"':
        return this.string();
    }
    for (const [word, value] of Object.entries(WORDS)) {
      if (this.text.startsWith(word, this.index)) {
        this.index += word.length;
        return value;
      }
    }
    const number = new Num(this.match(NUMBER));
    if (!Number.isFinite(number.value)) refuse("not-finite", "");
    return number;
  }

  object(depth) {
    this.mappings += 1;
    if (this.mappings > this.limits.mappings) refuse("too-many-mappings", "");
    const fields = new Map();
    this.collection("{", "}", depth, () => {
      this.count();
      const key = this.string();
      if (fields.has(key)) refuse("duplicate-key", "");
      this.space();
      this.expect(":");
      this.space();
      fields.set(key, this.value(depth));
    });
    return fields;
  }

  array(depth) {
    const items = [];
    this.collection("[", "]", depth, () => items.push(this.value(depth)));
    return items;
  }

  collection(open, close, depth, member) {
    if (depth > this.limits.depth) refuse("too-deep", "");
    this.expect(open);
    this.space();
    if (this.takes(close)) return;
    do {
      this.space();
      member();
      this.space();
    } while (this.takes(","));
    this.expect(close);
  }

  string() {
    this.expect('"');
    let result = this.match(PLAIN);
    while (!this.takes('"')) {
      this.expect("\\");
      result += this.escape() + this.match(PLAIN);
    }
    if (LONE.test(result)) refuse("syntax", "");
    return result;
  }

  escape() {
    if (this.takes("u")) return String.fromCharCode(parseInt(this.match(HEX), 16));
    const escaped = this.text[this.index];
    if (!Object.hasOwn(ESCAPES, escaped)) refuse("syntax", "");
    this.index += 1;
    return ESCAPES[escaped];
  }
}

/** The JSON text of a value, on one line. */
export function write(value) {
  if (value instanceof Num) return value.text;
  if (Array.isArray(value)) return `[${value.map(write).join(", ")}]`;
  if (value === null || typeof value !== "object") return JSON.stringify(value);
  const entries = value instanceof Map ? [...value] : Object.entries(value);
  return `{${entries.map(([key, item]) => `${JSON.stringify(key)}: ${write(item)}`).join(", ")}}`;
}
