/**
 * Checks what the designer's editor inserts against Camel's own JSON Schema of its YAML: `npm run camel-schema -- FILE`,
 * where FILE is a camelYamlDsl.json of Camel 4.22, such as that in @kaoto/camel-catalog. The schema is Camel's, and is
 * not kept here. Ends with status 1 when a step that is plain Camel does not pass.
 */
import { readFileSync } from "node:fs";
import { type Schema, Validator } from "@cfworker/json-schema";
import { endpointOf, pickerEntries, stepOf } from "../designer/web/src/editor/picker/entries.ts";
import type { Catalog } from "../designer/web/src/model/index.ts";
import { catalog as contents } from "../src/workers/catalog.ts";
import { describe } from "../src/workers/check/describe.ts";

/** Steps that Camel does not have. */
const ours = new Set(["step:valueMapping", "step:messageMapping"]);

const [file] = process.argv.slice(2);
if (file === undefined) throw new Error("Name Camel's schema: npm run camel-schema -- camelYamlDsl.json");
const schema = new Validator(JSON.parse(readFileSync(file, "utf8")) as Schema, "4", false);
const catalog = describe(contents).catalog as Catalog;

/** Returns what the schema finds in a flow; undefined: nothing. */
function problemIn(trigger: object, step: object): string | undefined {
  const { valid, errors } = schema.validate([{ route: { id: "r", from: { ...trigger, steps: [step] } } }]);
  const { instanceLocation = "", error = "" } = errors.at(-1) ?? {};
  return valid ? undefined : `${instanceLocation}: ${error}`;
}

const log = { log: { message: "x" } };
const checked = [
  ...pickerEntries(catalog, "step").map(
    (entry) => [entry.key, problemIn({ uri: "direct:x" }, stepOf(entry, catalog))] as const,
  ),
  ...pickerEntries(catalog, "trigger").map((entry) => {
    const { uri, parameters } = endpointOf(entry, catalog);
    return [`from ${entry.key}`, problemIn({ uri, ...(parameters !== undefined && { parameters }) }, log)] as const;
  }),
];
const failed = checked.filter(([key, problem]) => problem !== undefined && !ours.has(key));
for (const [key, problem] of failed) process.stdout.write(`${key}: ${problem}\n`);
process.stdout.write(
  `${checked.length - failed.length} of ${checked.length} insertions are valid, or are steps that Camel does not have\n`,
);
if (failed.length > 0) process.exitCode = 1;
