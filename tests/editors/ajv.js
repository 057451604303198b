// Says which documents a schema accepts: {schema, documents} as JSON on the input, and on the output
// one true or false for each. The mode is strict, and a warning is an error.
"use strict";

const { readFileSync } = require("node:fs");
const Ajv = require("ajv");

function refused(...message) {
  throw new Error(message.join(" "));
}

const { schema, documents } = JSON.parse(readFileSync(0, "utf-8"));
const ajv = new Ajv({
  strict: true,
  allowUnionTypes: true,
  logger: { log: refused, warn: refused, error: refused },
});
ajv.addVocabulary(["markdownDescription", "errorMessage"]);
const validate = ajv.compile(schema);
process.stdout.write(JSON.stringify(documents.map((document) => validate(document))));
