/** Each name in Camel's catalogue is taken, refused with a reason, or missing for a reason that is written down. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { asked, askedOfSimple } from "../scripts/camel/asked.ts";
import {
  camelElementOptions,
  camelFormatOptions,
  camelLanguageOptions,
  camelStepOptions,
} from "../scripts/camel/catalog-names.ts";
import { functionStates, operatorStates } from "../scripts/camel/functions.ts";
import { missingReasons } from "../scripts/camel/missing.ts";
import { camelOptions } from "../scripts/camel/options.ts";
import { takenElements } from "../scripts/taken-elements.ts";
import { catalog } from "../src/workers/catalog.ts";
import { camelFormats, camelLanguages, camelSteps, camelTopLevel } from "../src/workers/check/camel-names.ts";

const options = (await camelOptions()).map(({ owner, path, ...answer }) => ({ name: `${owner}.${path}`, ...answer }));
const names = { functions: await functionStates(), operators: await operatorStates(), options };
const least = { functions: 150, operators: 30, options: 700 };

for (const [what, all] of Object.entries(names)) {
  test(`${what}: none is missing without a reason`, () => {
    assert.ok(all.length > least[what as keyof typeof least], `${all.length} ${what}`);
    const unknown = all.filter(({ name, state }) => state === "missing" && !missingReasons.has(name));
    assert.deepEqual(
      unknown.map(({ name, why }) => `${name}: ${why}`),
      [],
      "build it, refuse it with a reason, or write into scripts/camel/missing.ts why it is missing",
    );
  });

  test(`${what}: each that is refused has a reason`, () => {
    for (const { name, state, why } of all) if (state === "refused") assert.match(why ?? "", /\w+ \S+/, name);
  });
}

test("each reason is that of a missing name", () => {
  const missing = Object.values(names)
    .flat()
    .filter(({ state }) => state === "missing");
  const named = new Set(missing.map(({ name }) => name));
  assert.deepEqual(
    [...missingReasons.keys()].filter((name) => !named.has(name)),
    [],
  );
});

test("each part that is here has a line among Camel's names", () => {
  for (const [known, ours, lines] of [
    [camelSteps, catalog.steps, camelStepOptions],
    [camelLanguages, catalog.languages, camelLanguageOptions],
    [camelFormats, catalog.formats, camelFormatOptions],
    [camelTopLevel, takenElements, camelElementOptions],
  ] as const)
    assert.deepEqual(
      known.filter((name) => ours.has(name) && !lines.has(name)),
      [],
      "run npm run camel-names",
    );
});

test("a name that nobody has is missing", async () => {
  for (const text of ["${trimmed()}", "${body} resembles 'a'", "${body}**", "${body} ~~> ${trim()}"])
    assert.equal((await askedOfSimple(text)).state, "missing", text);
  const step = { loop: { constant: "1", backwards: true, steps: [] } };
  assert.equal((await asked([{ from: { uri: "direct:a", steps: [step] } }], "backwards")).state, "missing");
});

test("options within options are read from the list", () => {
  assert.deepEqual(camelStepOptions.get("doTry"), [
    "doCatch",
    "doCatch.exception",
    "doCatch.onWhen",
    "doCatch.steps",
    "doFinally",
    "doFinally.steps",
    "steps",
  ]);
});
