/** What the reference, the catalog and completion say of simple's functions: each has an example, and it gives what it says. */
import assert from "node:assert/strict";
import { before, test } from "node:test";
import { functionDocs, functionName } from "../../../src/workers/languages/simple/docs/index.ts";
import { functions } from "../../../src/workers/languages/simple/functions/index.ts";
import { anExchange } from "../../support/exchange.ts";
import { compileText, evaluate, loadLanguages } from "./evaluate.ts";

before(loadLanguages);

test("each function of simple is described once", () => {
  assert.deepEqual(functionDocs.map(functionName).sort(), Object.keys(functions).sort());
});

for (const { usage, example, given, result } of functionDocs)
  test(`the example of ${usage} gives what it says`, () => {
    // It needs a mapping of a flow.
    if (usage.startsWith("vmap")) return void compileText(example);
    const value = evaluate(example, anExchange(given));
    if (result instanceof RegExp) assert.match(String(value), result);
    else assert.deepEqual(value, result);
  });
