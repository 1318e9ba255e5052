/**
 * A test shows each option of each component: one that has an effect is set by a test of the component, or of one that shares the option's
 * definition; any other one is refused with its reason, or warned of.
 */
import assert from "node:assert/strict";
import { globSync, readFileSync } from "node:fs";
import { test } from "node:test";
import { parse } from "yaml";
import * as z from "zod";
import { refusals } from "../scripts/refused-options.ts";
import { catalog } from "../src/workers/catalog.ts";
import { checkSlots, idleReason, type Schema, slotOf, unwrap } from "../src/workers/check/check-slots.ts";
import { errorsOf, warningsOf } from "./workers/check/real-catalog.ts";

const root = new URL("../", import.meta.url);
const texts = globSync("test/**/*.{ts,yaml}", { cwd: root }).map((path) => ({
  text: readFileSync(new URL(path, root), "utf8"),
  // The suite runs with the components of every connector.
  isOfAll: path.startsWith("test/servers/suite/"),
}));
const components = [...catalog.components.values()].map((component) => {
  const schema = unwrap(component.options(z, checkSlots)) as z.ZodObject;
  return { ...component, schema, shape: Object.entries(schema.shape as Readonly<Record<string, Schema>>) };
});

/** Whether a test sets the option: `name: value` in parameters, `?name=value` in a URI. A name that ends with a dot is a prefix. */
function isSet(name: string, schemes: readonly string[]): boolean {
  const end = name.endsWith(".") ? "" : "[\"']?(?:=|: |,| })";
  const option = new RegExp(`(?<![\\w.])${RegExp.escape(name)}${end}`);
  const scheme = new RegExp(`(?<![\\w-])(?:${schemes.map((one) => RegExp.escape(one)).join("|")})(?![\\w-])`);
  return texts.some(({ text, isOfAll }) => option.test(text) && (isOfAll || scheme.test(text)));
}

test("each option that has an effect is set by a test", () => {
  const schemesOf = new Map<string, string[]>();
  for (const { scheme, schema, shape, path, prefixed = {} } of components) {
    const refused = new Set(refusals(schema, "").map(({ option }) => option.replace(/: .*/, "")));
    for (const [name, option] of shape) {
      if (name === path || refused.has(name) || idleReason(option) !== undefined) continue;
      const written = Object.entries(prefixed).find(([, collects]) => collects === name)?.[0] ?? name;
      const definition = `${written}: ${(unwrap(option) as z.ZodType).description}`;
      schemesOf.set(definition, [...(schemesOf.get(definition) ?? []), scheme]);
    }
  }
  assert.ok(schemesOf.size > 300, `${schemesOf.size} options`);
  const unset = [...schemesOf]
    .filter(([definition, schemes]) => !isSet(definition.slice(0, definition.indexOf(": ")), schemes))
    .map(([definition, schemes]) => `${schemes} ${definition}`);
  assert.deepEqual(unset, []);
});

/** The component's example with one more option. */
function withOption(example: string, name: string, value: unknown): string {
  const [[key = "", endpoint] = []] = Object.entries(parse(example) as Readonly<Record<string, unknown>>);
  const written = (typeof endpoint === "string" ? { uri: endpoint } : endpoint) as {
    readonly parameters?: object;
    readonly steps?: readonly unknown[];
  };
  const more = { ...written, parameters: { ...written.parameters, [name]: value } };
  if (key === "from") return JSON.stringify([{ from: { ...more, steps: [{ log: "x" }] } }]);
  return JSON.stringify([{ from: { uri: "direct:a", steps: [{ [key]: more }] } }]);
}

test("each option that is refused, or has one value only, is refused with its reason", async () => {
  const silent: string[] = [];
  let tried = 0;
  for (const { scheme, schema, example } of components) {
    for (const { option, why } of refusals(schema, "")) {
      const [name = "", value = "x"] = option.split(": ");
      const errors = await errorsOf(withOption(example, name, value));
      tried += 1;
      if (!errors.some((error) => error.includes(name) && error.includes(why)))
        silent.push(`${scheme} ${option}: ${errors}`);
    }
  }
  assert.deepEqual(silent, []);
  assert.ok(tried > 300, `${tried} options`);
});

test("each option without an effect is warned of with its reason", async () => {
  const silent: string[] = [];
  let tried = 0;
  for (const { scheme, shape, example } of components) {
    for (const [name, option] of shape) {
      const why = idleReason(option);
      if (why === undefined) continue;
      const slot = slotOf(unwrap(option));
      const values = { flag: true, integer: 1, duration: 1000, oneOf: slot?.kind === "oneOf" ? slot.values[0] : "" };
      const value = slot !== undefined && slot.kind in values ? values[slot.kind as keyof typeof values] : "x";
      const warnings = await warningsOf(withOption(example, name, value));
      tried += 1;
      if (!warnings.some((warning) => warning.includes(name) && warning.includes(why)))
        silent.push(`${scheme} ${name}: ${warnings}`);
    }
  }
  assert.deepEqual(silent, []);
  assert.ok(tried > 50, `${tried} options`);
});
