/**
 * Writes scripts/camel/catalog-names.ts from the catalogue of a Camel release: names alone, none of Camel's sentences.
 *
 *     npm run camel-names -- camelYamlDsl.json simple.json file.json
 *
 * The first file is the schema of the YAML DSL, from camel-yaml-dsl.jar; simple.json and file.json lie in
 * camel-core-languages.jar, under META-INF/org/apache/camel/language/simple.
 */
import { readFileSync, writeFileSync } from "node:fs";
import { catalog } from "../../src/workers/catalog.ts";
import { takenElements } from "../taken-elements.ts";

interface Schema {
  readonly $ref?: string;
  readonly type?: string;
  readonly items?: Schema;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly oneOf?: readonly Schema[];
  readonly anyOf?: readonly Schema[];
}

interface Dsl {
  readonly items: Schema & { readonly definitions: Readonly<Record<string, Schema>> };
}

const [dslFile, simpleFile, fileFile] = process.argv.slice(2);
if (dslFile === undefined || simpleFile === undefined || fileFile === undefined)
  throw new Error("Name three files: npm run camel-names -- camelYamlDsl.json simple.json file.json");
const dsl = read<Dsl>(dslFile);
const { definitions } = dsl.items;
const simple = read<{ functions: object; operators: object }>(simpleFile);
const file = read<{ functions: object }>(fileFile);

/** Attributes that each part has, for people and for the order of the text. */
const everywhere = new Set(["id", "description", "note", "disabled"]);
/** Parts with a table of their own, and the verbs of REST, which have the options of `get`. */
const own =
  /model\.(?:(?:Expression\w*|Processor|Route|From|ErrorHandler)Definition|rest\.(?:RestDefinition|(?:Delete|Head|Patch|Post|Put)Definition))$|(?:ErrorHandler|Route\w*)Deserializer$|model\.language\.ExpressionDefinition$/;
/** What stands in another part under its own name, as a language in an expression. */
const inline = /model\.(?:language|dataformat)\./;

function read<T>(path: string): T {
  return JSON.parse(readFileSync(path, "utf8")) as T;
}

function nameOf({ $ref = "" }: Schema): string {
  return $ref.slice($ref.lastIndexOf("/") + 1);
}

function resolved(schema: Schema): Schema {
  return schema.$ref === undefined ? schema : resolved(definitions[nameOf(schema)] ?? {});
}

/** The properties of a part and of its alternatives. */
function propertiesOf(schema: Schema): [name: string, property: Schema][] {
  const { properties = {}, oneOf = [], anyOf = [] } = resolved(schema);
  const other = [...oneOf, ...anyOf].filter((one) => !inline.test(nameOf(one))).flatMap(propertiesOf);
  return [...Object.entries(properties), ...other].filter(([, property]) => Object.keys(property).length > 0);
}

/** The options below a part, with their own in brackets: `onFallback(fallbackViaNetwork steps)`. */
function optionsIn(schema: Schema, above: readonly Schema[] = []): string[] {
  const options = propertiesOf(schema).flatMap(([name, property]): string[] => {
    if (everywhere.has(name) || inline.test(nameOf(property))) return [];
    const element = property.type === "array" ? (property.items ?? {}) : property;
    const inner = resolved(element);
    // A list of `- onException: {...}` holds parts with tables of their own.
    const isApart =
      own.test(nameOf(element)) || above.includes(inner) || propertiesOf(inner).some(([key]) => key === name);
    const within = isApart ? [] : optionsIn(inner, [...above, inner]);
    return [within.length === 0 ? name : `${name}(${within.join(" ")})`];
  });
  return [...new Set(options)].sort();
}

function group(parts: readonly [name: string, part: Schema][]): string {
  return parts
    .map(([name, part]) => [name, optionsIn(part)] as const)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, options]) => `${wrapped(`${name}: ${options.join(" ")}`.split(" "))}\n`)
    .join("");
}

/** Lines of words, the first with two spaces before it and any other with four. */
function wrapped(words: readonly string[]): string {
  const lines = [""];
  for (const word of words) {
    if ((lines.at(-1) ?? "").length + word.length > 120) lines.push("  ");
    lines[lines.length - 1] += ` ${word}`;
  }
  return lines.map((line) => ` ${line}`).join("\n");
}

/** The parts that a definition has under their own names, if this runtime takes them. */
function parts(definition: string, taken: { has(name: string): boolean }): [name: string, part: Schema][] {
  const { properties = {}, anyOf = [] } = definitions[definition] ?? {};
  const all = [
    properties,
    ...anyOf.flatMap(({ oneOf = [] }) => oneOf.map((one) => one.properties ?? {})),
    ...anyOf.map((one) => one.properties ?? {}),
  ];
  return all
    .flatMap((some) => Object.entries(some))
    .filter(([name, part]) => part.$ref !== undefined && taken.has(name));
}

const model = "org.apache.camel.model";
const elements = Object.entries(dsl.items.properties ?? {})
  .filter(([name]) => takenElements.has(name))
  .map(([name, part]) => [name, resolved(part).items ?? part] as [string, Schema]);
const lines = (names: readonly string[]): string => `${wrapped(names)}\n`;

writeFileSync(
  new URL("catalog-names.ts", import.meta.url),
  `/**
 * Names in the catalogue of Apache Camel 4.22, written by \`npm run camel-names\`: do not edit. They tell what this runtime
 * lacks. Each part has \`id\`, \`description\`, \`note\` and \`disabled\` besides, and languages and data formats stand in parts
 * under their own names.
 */

const words = (text: string): readonly string[] => text.trim().split(/\\s+/);

/** The paths of options such as \`onFallback(fallbackViaNetwork steps)\`. */
function paths(options: string): readonly string[] {
  const above: string[] = [];
  return [...options.matchAll(/([\\w.-]+)(\\(?)|\\)/g)].flatMap(([, name, opens]) => {
    if (name === undefined) {
      above.pop();
      return [];
    }
    const path = [...above, name].join(".");
    if (opens !== "") above.push(name);
    return [path];
  });
}

/** \`name: options\`, each on a line that is not indented further. */
const parts = (text: string): ReadonlyMap<string, readonly string[]> =>
  new Map(
    text
      .trim()
      .split(/\\n {2}(?! )/)
      .map((part) => {
        const colon = part.indexOf(":");
        return [part.slice(0, colon), paths(part.slice(colon))] as const;
      }),
  );

/** Functions of simple, with the names of their arguments. */
export const camelFunctions = words(\`
${lines([...Object.keys(simple.functions), ...Object.keys(file.functions)].map((name) => name.replace(/ /g, "")).sort())}\`);

/** Operators of simple. */
export const camelOperators = words(\`
${lines(Object.keys(simple.operators).map((name) => name.replace(/ /g, "…")))}\`).map((operator) => operator.replace("…", " "));

export const camelStepOptions = parts(\`
${group(parts(`${model}.ProcessorDefinition`, catalog.steps))}\`);

export const camelElementOptions = parts(\`
${group(elements)}\`);

export const camelLanguageOptions = parts(\`
${group(parts(`${model}.language.ExpressionDefinition`, catalog.languages))}\`);

export const camelFormatOptions = parts(\`
${group(parts(`${model}.MarshalDefinition`, catalog.formats))}\`);
`,
);
