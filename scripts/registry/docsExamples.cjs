/** `npm run docs:examples`: converts the YAML programs of the examples in the schema, with the Pulumi CLI on PATH. */
const { writeFileSync } = require("node:fs");

require("../fromSource.cjs");
const { convertedExamples, EXAMPLES_FILE } = require("./schemaExamples.ts");

convertedExamples("pulumi", process.env).then((text) => writeFileSync(EXAMPLES_FILE, text));
