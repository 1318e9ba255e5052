/** The options that a flow may write, and those of them that no code reads. */
import { globSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { transformSync } from "esbuild";
import { z } from "zod";
import { catalog } from "../src/workers/catalog.ts";
import { idleReason, type Schema, slotOf, unwrap } from "../src/workers/check/check-slots.ts";
import { Definitions } from "../src/workers/check/context.ts";

export interface TakenOption {
  /** Step, component, language, data format or element. */
  readonly owner: string;
  /** `redeliveryPolicy.delayPattern`. */
  readonly path: string;
  /** Present: it changes nothing, and the check warns of it. */
  readonly idle?: string;
  /** false: a key of another name fills it, as the language's an expression. */
  readonly written: boolean;
}

const root = join(import.meta.dirname, "..");
/** Where the elements of a document are built into routes: their definitions have options alone. */
const elementReaders = ["check/elements.ts", "compile/*.ts", "engine/error-handling.ts", "engine/redelivery.ts"];
const folders = ["steps", "components", "languages", "formats", "elements"] as const;
/** Slots that inline keys fill. */
const inline: ReadonlySet<string> = new Set(["expression", "predicate", "dataFormat", "endpoint", "polled"]);
/** An option's place in a schema: `name: text.optional()`. */
const inSchema =
  '(?="?:\\s*(?:text|flag|integer|duration|oneOf|expression|predicate|template|steps|endpoint|polled|dataFormat|uri|clause|' +
  "only|idle|refused|percent|count|z)\\b(?!\\s*[,}]))";

/** All that are neither refused nor the definition's own business. */
export function takenOptions(): readonly TakenOption[] {
  return folders.flatMap((folder) =>
    definitionsIn(folder).flatMap(({ owner, schema }) => optionsOf(schema, owner, "")),
  );
}

/** Those that change nothing in silence: the name occurs nowhere but in the schema. */
export function unreadOptions(): readonly TakenOption[] {
  return folders.flatMap((folder) =>
    definitionsIn(folder).flatMap(({ owner, schema }) => {
      const code = codeOf(folder, owner);
      return optionsOf(schema, owner, "").filter(({ path, idle }) => idle === undefined && !reads(code, path));
    }),
  );
}

/** Those that change something, and that neither a test nor a conformance case has ever set. */
export function untestedOptions(): readonly TakenOption[] {
  const texts = globSync("test/**/*.{ts,yaml}", { cwd: root }).map((file) => readFileSync(join(root, file), "utf8"));
  return takenOptions().filter(({ owner, path, idle, written }) => {
    const inUri = catalog.components.get(owner)?.path === path;
    if (idle !== undefined || !written || inUri || catalog.steps.get(owner)?.internal === true) return false;
    const set = new RegExp(`(?<!\\w)(?:\\\\n)?${nameOf(path).replaceAll(".", "\\.")}["']?\\s*[:=]`);
    return !texts.some((text) => set.test(text));
  });
}

function definitionsIn(folder: (typeof folders)[number]): { owner: string; schema: Schema }[] {
  const definitions = new Definitions(catalog);
  return [...catalog[folder]].map(([owner, definition]) => ({ owner, schema: definitions.schema(definition) }));
}

function optionsOf(schema: Schema, owner: string, prefix: string): TakenOption[] {
  const inner = unwrap(schema);
  if (inner instanceof z.ZodArray) return optionsOf(inner.element, owner, prefix);
  if (!(inner instanceof z.ZodObject)) return [];
  return Object.entries(inner.shape).flatMap(([name, property]): TakenOption[] => {
    const option = property as Schema;
    if (slotOf(unwrap(option))?.kind === "refused" || takesOneValue(option)) return [];
    if (isBareChoice(option)) return [];
    const path = `${prefix}${name}`;
    const idle = idleReason(option);
    const written = !inline.has(slotOf(unwrap(option))?.kind ?? "");
    return [{ owner, path, written, ...(idle !== undefined && { idle }) }, ...optionsOf(option, owner, `${path}.`)];
  });
}

/** `roundRobinLoadBalancer: {}`: one of several, read by which of them is there. */
function isBareChoice(option: Schema): boolean {
  const inner = unwrap(option);
  return inner instanceof z.ZodObject && Object.keys(inner.shape).length === 0;
}

/** What Camel has anyway; anything else is refused. */
function takesOneValue(option: Schema): boolean {
  const slot = slotOf(unwrap(option));
  if (slot?.kind === "oneOf") return slot.values.length === 1;
  if (slot?.kind !== "flag") return false;
  return [true, false].some((value) => !z.safeParse(option, value).success);
}

function reads(code: readonly string[], path: string): boolean {
  const word = new RegExp(`(?<![\\w$])${nameOf(path).replaceAll(".", "\\.")}(?![\\w$])(?!${inSchema})`);
  return code.some((text) => word.test(text));
}

/** As it is written; quartz has names with dots. */
function nameOf(path: string): string {
  return path.startsWith("trigger.") ? path : path.slice(path.lastIndexOf(".") + 1);
}

/** The code that a definition reaches, without types, comments and texts for people. */
function codeOf(folder: string, owner: string): readonly string[] {
  const naming = new RegExp(`(?:name:|scheme:|\\()\\s*"${owner}"`);
  const own = globSync(`src/workers/${folder}/*.ts`, { cwd: root }).filter((file) => naming.test(read(file).code));
  const readers = elementReaders.flatMap((pattern) => globSync(`src/workers/${pattern}`, { cwd: root }));
  const seen = new Set<string>();
  const visit = (file: string): void => {
    if (seen.has(file) || !file.startsWith(join("src", "workers"))) return;
    seen.add(file);
    for (const imported of read(file).imports) visit(imported);
  };
  for (const file of folder === "elements" ? readers : own) visit(file);
  return [...seen].map((file) => read(file).code);
}

interface Source {
  readonly code: string;
  readonly imports: readonly string[];
}

const sources = new Map<string, Source>();

function read(file: string): Source {
  const known = sources.get(file);
  if (known !== undefined) return known;
  const { code } = transformSync(readFileSync(join(root, file), "utf8"), { loader: "ts" });
  const imports = [...code.matchAll(/(?:from |import\()"(\.[^"]+)"/g)].map(([, path]) =>
    join(dirname(file), path ?? ""),
  );
  const source = { code: withoutTexts(code), imports };
  sources.set(file, source);
  return source;
}

/** A name in quotes may be a key; a sentence is not, nor is an example of a flow. */
function withoutTexts(code: string): string {
  return code
    .replaceAll(/"(?:[^"\\\n]|\\.)*"/g, (text) => (/^"[\w.-]+"$/.test(text) ? text : '""'))
    .replaceAll(/(?<=[\s(:=+,?[{])`(?:[^`\\]|\\.)*`(?=[\s),;.\]}+:])/g, (text) =>
      (text.match(/\$\{[^}]*\}/g) ?? []).join(" "),
    );
}
