/** Every option that a flow may write has a sentence that says what it does: the forms and editors of designers show it. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { catalog } from "../src/workers/catalog.ts";
import { describe } from "../src/workers/check/describe.ts";
import { documentElements } from "../src/workers/check/document-elements.ts";
import { errorsOf, warningsOf } from "./workers/check/real-catalog.ts";

type Schema = Readonly<Record<string, unknown>>;

const described = describe(catalog);
const definitions = described.flowSchema["$defs"] as Readonly<Record<string, Schema>>;

/** Words that say nothing by themselves. */
const empty = new Set(
  "a an and are as be by for in is it its of on option or set sets that the this to value".split(" "),
);

function wordsOf(text: string): readonly string[] {
  return (
    text
      .replaceAll(/([a-z])(?=[A-Z])/g, "$1 ")
      .toLowerCase()
      .match(/[a-z0-9]+/g) ?? []
  );
}

/** What is wrong with the words of an option; undefined: they are good. */
function problemOf(name: string, words: unknown): string | undefined {
  if (typeof words !== "string" || words.trim() === "") return "no words";
  if (!/^[A-Z`].*\.$/s.test(words)) return "no sentence";
  if (/^(?:The same|Of these|Of those|These|This|It)\b/.test(words)) return "leans on another option";
  const known = new Set(wordsOf(name));
  return wordsOf(words).every((word) => empty.has(word) || known.has(word)) ? "nothing but the name" : undefined;
}

/** A language and a data format have words of their own, where the option refers to them. */
function descriptionOf({ description, $ref }: Schema): unknown {
  if (description !== undefined || typeof $ref !== "string") return description;
  return definitions[$ref.slice($ref.lastIndexOf("/") + 1)]?.["description"];
}

/** `log.message: no words`, of the options of a map and of the maps in it. */
function problemsIn(schema: Schema, path: string): readonly string[] {
  const below = Object.entries(propertiesOf(schema)).flatMap(([name, option]) => {
    const problem = problemOf(name, descriptionOf(option));
    const own = problem === undefined ? [] : [`${path}.${name}: ${problem}`];
    return [...own, ...problemsIn(option, `${path}.${name}`)];
  });
  const items = schema["items"] as Schema | undefined;
  const forms = (schema["anyOf"] ?? []) as readonly Schema[];
  return [...below, ...[...forms, ...(items === undefined ? [] : [items])].flatMap((form) => problemsIn(form, path))];
}

test("every option of the catalogue says what it does", () => {
  const { functions: _, ...withOptions } = described.catalog;
  const entries = Object.values(withOptions).flat();
  assert.ok(entries.length > 80);
  assert.deepEqual(
    entries.flatMap(({ name, schema }) => problemsIn(schema, name)),
    [],
  );
});

test("every key of the editors' schema says what it does", () => {
  assert.ok(Object.keys(definitions).length > 80);
  assert.deepEqual(
    Object.entries(definitions).flatMap(([name, schema]) => problemsIn(schema, name)),
    [],
  );
});

test("editors find the words of a component's options beside its uri", () => {
  const forms = definitions["endpoint"]?.["allOf"] as readonly { if: Schema; then: Schema }[];
  for (const { name, schema } of described.catalog.components) {
    const uris = [name, `${name}:a`, `${name}:a?b=c`, `${name}?b=c`];
    const found = forms.filter((form) => uris.every((uri) => new RegExp(patternOf(form.if)).test(uri)));
    assert.equal(found.length, 1, name);
    const words = propertiesOf(propertiesOf(found[0]?.then)["parameters"]);
    for (const [option, { description }] of Object.entries(propertiesOf(schema)))
      assert.equal(words[option]?.["description"], description, `${name}.${option}`);
  }
  const from = definitions["from"]?.["allOf"];
  assert.deepEqual(from, [{ $ref: "urn:bulkhead:flow#/$defs/endpoint" }]);
  for (const step of ["to", "toD", "wireTap"]) {
    const [form] = definitions[`step:${step}`]?.["anyOf"] as readonly Schema[];
    assert.deepEqual(form?.["allOf"], from, step);
  }
});

function propertiesOf(schema: Schema | undefined): Readonly<Record<string, Schema>> {
  return (schema?.["properties"] ?? {}) as Readonly<Record<string, Schema>>;
}

function patternOf(condition: Schema): string {
  return String(propertiesOf(condition)["uri"]?.["pattern"]);
}

for (const { name, example } of documentElements) {
  test(`the example of ${name} is deployed as it stands`, async () => {
    assert.deepEqual([...(await errorsOf(example)), ...(await warningsOf(example))], []);
  });
}

test("words are a sentence that says more than the name", () => {
  for (const [name, words, problem] of [
    ["maxTotalConnections", undefined, "no words"],
    ["maxTotalConnections", " ", "no words"],
    ["maxTotalConnections", "Sets the max total connections.", "nothing but the name"],
    ["maxTotalConnections", "of a thread", "no sentence"],
    ["maxTotalConnections", "Of these, to one server.", "leans on another option"],
    ["maxTotalConnections", "Connections at the same time, of a thread.", undefined],
  ] as const) {
    assert.equal(problemOf(name, words), problem, String(words));
  }
});
