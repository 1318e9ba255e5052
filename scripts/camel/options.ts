/** What becomes of the options of Camel's YAML DSL here: a schema has them, or the check is asked. */
import { parse } from "yaml";
import { z } from "zod";
import { catalog } from "../../src/workers/catalog.ts";
import { idleReason, type Schema, shapeOf, slotOf, unwrap } from "../../src/workers/check/check-slots.ts";
import { Definitions } from "../../src/workers/check/context.ts";
import { expandedElements } from "../taken-elements.ts";
import { type Answer, asked } from "./asked.ts";
import { camelElementOptions, camelFormatOptions, camelLanguageOptions, camelStepOptions } from "./catalog-names.ts";
import { askedOfElement } from "./element-options.ts";

export interface CamelOption extends Answer {
  readonly kind: "step" | "element" | "language" | "format";
  readonly owner: string;
  /** `onFallback.fallbackViaNetwork`. */
  readonly path: string;
}

const definitions = new Definitions(catalog);
const groups = [
  ["step", camelStepOptions, catalog.steps],
  ["language", camelLanguageOptions, catalog.languages],
  ["format", camelFormatOptions, catalog.formats],
  ["element", camelElementOptions, catalog.elements],
] as const;

/** Resolves with Camel's options of the parts that this runtime takes. An option below one that is not taken is left out. */
export async function camelOptions(): Promise<readonly CamelOption[]> {
  const found: CamelOption[] = [];
  for (const [kind, all, ours] of groups) {
    for (const [owner, paths] of all) {
      const definition = ours.get(owner);
      const schema = definition && definitions.schema(definition);
      const isExpanded = kind === "element" && expandedElements.includes(owner);
      if (schema === undefined && !isExpanded)
        throw new Error(`the runtime does not have ${owner}: run npm run camel-names`);
      const ended: string[] = [];
      for (const path of paths) {
        if (ended.some((above) => path.startsWith(`${above}.`))) continue;
        const answer = await answerFor(kind, owner, path, schema);
        found.push({ kind, owner, path, ...answer });
        if (answer.state !== "taken") ended.push(path);
      }
    }
  }
  return found;
}

async function answerFor(
  kind: CamelOption["kind"],
  owner: string,
  path: string,
  schema: Schema | undefined,
): Promise<Answer> {
  const known = schema && answerOf(schema, path.split("."));
  if (known !== undefined) return known;
  if (kind === "element") return askedOfElement(owner, path);
  if (kind === "language") return asked(around({ setBody: { [owner]: withOption(owner, path) } }), path);
  const example = catalog.steps.get(owner)?.example;
  const step = example === undefined ? {} : (parse(example) as Record<string, object>);
  return asked(around({ [owner]: { ...step[owner], ...nested(path.split(".")) } }), path.split(".").at(-1) ?? path);
}

function around(step: object): readonly object[] {
  return [{ from: { uri: "direct:a", steps: [step] } }];
}

/** Options that all languages have are read before the language's own. */
function withOption(language: string, option: string): object {
  const expression = catalog.languages.get(language)?.example ?? "x";
  if (option === "expression" || option === "token") return { [option]: expression };
  return { expression, [option]: option === "resultType" ? "String" : true };
}

function nested([name = "", ...rest]: readonly string[]): object {
  return { [name]: rest.length === 0 ? "x" : nested(rest) };
}

/** Returns undefined for an option that the schema does not have. */
function answerOf(schema: Schema, [name = "", ...rest]: readonly string[]): Answer | undefined {
  const inner = unwrap(schema);
  if (inner instanceof z.ZodArray) return answerOf(inner.element, [name, ...rest]);
  if (!(inner instanceof z.ZodObject)) return undefined;
  const property = (inner.shape as Readonly<Record<string, Schema>>)[name];
  if (property === undefined) return isInline(inner, name) ? { state: "taken" } : undefined;
  const slot = slotOf(unwrap(property));
  if (slot?.kind === "refused") return { state: "refused", why: slot.reason };
  if (rest.length > 0) return answerOf(property, rest);
  const why = idleReason(property);
  return why === undefined ? { state: "taken" } : { state: "idle", why };
}

/** Whether the key fills an option of another name: `uri` and `parameters` an endpoint, `expression` a predicate. */
function isInline(schema: z.ZodObject, name: string): boolean {
  const { inline, endpoint } = shapeOf(schema);
  return name === "expression" ? inline !== undefined : /^(?:uri|parameters)$/.test(name) && endpoint !== undefined;
}
