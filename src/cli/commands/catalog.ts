import { orThrow } from "../../client/index.ts";
import type { CatalogDocument, CatalogEntry, FunctionEntry } from "../../shared/check.ts";
import { didYouMean } from "../../shared/suggest.ts";
import { wrapped } from "../columns.ts";
import { UsageError } from "../errors.ts";
import { type OptionRow, optionRows, refusedRows } from "../option-rows.ts";
import { sayTable } from "../table.ts";
import { plainLine, plainText, sayJson, type Terminal } from "../terminal.ts";
import {
  type AddCommand,
  addCommand,
  type Context,
  type TargetOptions,
  withJson,
  withTarget,
  wordOf,
} from "../tree.ts";

interface Options extends TargetOptions {
  readonly json?: boolean;
}

/** A kamelet has no example, a function no options; components and formats say how they can be used. */
type Entry = Pick<CatalogEntry, "name" | "docs"> &
  Partial<Pick<CatalogEntry, "example" | "schema"> & Pick<FunctionEntry, "usage" | "given" | "result">> &
  Readonly<Partial<Record<Use, boolean>>>;

const uses = ["consumer", "producer", "poller", "marshal", "unmarshal"] as const;
type Use = (typeof uses)[number];

const titles = {
  components: "Components, the schemes of endpoints",
  steps: "Steps",
  languages: "Languages of expressions",
  functions: "Functions of the language simple",
  formats: "Data formats",
  elements: "Elements beside routes",
  kamelets: "Kamelets",
} as const satisfies Partial<Record<keyof CatalogDocument, string>>;
type Kind = keyof typeof titles;
const kinds = Object.keys(titles) as Kind[];

export const addCatalog: AddCommand = (parent, context) => {
  const { terminal } = context;
  const command = addCommand(parent, "catalog", {
    summary: "lists what flows can be made of, and shows the options of one of them",
    details:
      "It is that of this version, and no server is needed; with --url or --profile that of a runtime. Of Camel's options that are refused each is named with the reason.",
    examples: [
      "bulkhead catalog",
      "bulkhead catalog components",
      "bulkhead catalog steps split",
      "bulkhead catalog functions date-with-timezone",
    ],
  })
    .argument("[kind]", "what to list")
    .argument("[name]", "one of them, whose options are shown");
  const [kindArgument] = command.registeredArguments;
  if (kindArgument !== undefined) kindArgument.argChoices = [...kinds];
  withJson(withTarget(command), "prints the entries with the JSON Schemas of their options").action(
    async (given: string | undefined, name: string | undefined, options: Options) => {
      const kind = given === undefined ? undefined : wordOf(given, kinds, "catalog");
      const catalog = await catalogOf(context, options);
      if (kind === undefined) {
        if (options.json === true) sayJson(terminal, Object.fromEntries(kinds.map((one) => [one, catalog[one]])));
        else for (const one of kinds) sayKind(terminal, one, catalog[one]);
        return;
      }
      const entries = catalog[kind];
      const shown = name === undefined ? entries : entryNamed(kind, entries, name);
      if (options.json === true) sayJson(terminal, shown);
      else if ("name" in shown) sayEntry(terminal, shown);
      else sayKind(terminal, kind, shown);
    },
  );
};

async function catalogOf({ connect }: Context, options: Options): Promise<Readonly<Record<Kind, readonly Entry[]>>> {
  if (options.url !== undefined || options.profile !== undefined)
    return orThrow((await connect(options)).GET("/_api/catalog"));
  const { describeFlows } = await import("../check-thread.ts");
  return (await describeFlows()).catalog;
}

/** Throws UsageError. */
function entryNamed(kind: Kind, entries: readonly Entry[], name: string): Entry {
  const found = entries.find((entry) => entry.name === name);
  if (found !== undefined) return found;
  const known = entries.map((entry) => entry.name);
  throw new UsageError(`${kind}: there is no '${name}'${didYouMean(name, known)}; bulkhead catalog ${kind} lists them`);
}

function sayKind(terminal: Terminal, kind: Kind, entries: readonly Entry[]): void {
  terminal.say(terminal.paint("bold", `${titles[kind]} (bulkhead catalog ${kind} NAME shows one)`));
  const used = entries.some((entry) => usesOf(entry) !== "");
  sayTable<Entry>(
    terminal,
    entries,
    [
      { title: "NAME", text: ({ name }) => name, style: () => "cyan" },
      ...(used ? [{ title: "AS", text: usesOf }] : []),
      { title: "WHAT IT IS", text: ({ docs }) => docs },
    ],
    "There are none.",
  );
  terminal.say("");
}

function usesOf(entry: Entry): string {
  return uses.filter((use) => entry[use] === true).join(", ");
}

function sayEntry(terminal: Terminal, entry: Entry): void {
  const used = usesOf(entry);
  terminal.say(`${terminal.paint("bold", plainLine(entry.name))}${used === "" ? "" : ` (${used})`}`);
  terminal.say(plainLine(entry.docs));
  if (entry.usage !== undefined) {
    sayFunction(terminal, entry);
    return;
  }
  if (entry.example !== undefined) terminal.say(`\n${indented(plainText(entry.example), 2)}`);
  const rows = optionRows(entry.schema ?? {});
  terminal.say(`\n${terminal.paint("bold", rows.length === 0 ? "It has no options." : "Options")}`);
  for (const row of rows) sayOption(terminal, row);
  const refused = refusedRows(entry.schema ?? {});
  if (refused.length === 0) return;
  terminal.say(`\n${terminal.paint("bold", "Options of Camel that are refused, or taken with one value only")}`);
  for (const { name, why } of refused) {
    terminal.say(`  ${terminal.paint("yellow", plainLine(name))}`);
    terminal.say(below(why, terminal.width));
  }
}

function sayFunction(terminal: Terminal, { usage = "", example = "", given = "", result = "" }: Entry): void {
  terminal.say(`\n  ${terminal.paint("cyan", `\${${plainLine(usage)}}`)}\n`);
  if (given !== "") terminal.say(`  with ${plainLine(given)}`);
  const gives = result === "" ? "" : ` gives ${plainLine(result)}`;
  terminal.say(`  ${plainLine(example)}${gives}`);
}

function sayOption(terminal: Terminal, { name, type, required, default: value, meaning }: OptionRow): void {
  const facts = [type, ...(required ? ["required"] : []), ...(value === undefined ? [] : [`default ${value}`])];
  terminal.say(`  ${terminal.paint("cyan", plainLine(name))}  ${terminal.paint("dim", plainLine(facts.join(", ")))}`);
  if (meaning !== "") terminal.say(below(meaning, terminal.width));
}

/** The lines of a text below its name. */
function below(text: string, width: number | undefined): string {
  const line = plainLine(text);
  return indented(width === undefined ? line : wrapped(line, Math.max(20, width - 6)), 6);
}

function indented(text: string, columns: number): string {
  return text
    .trimEnd()
    .split("\n")
    .map((line) => `${" ".repeat(columns)}${line}`)
    .join("\n");
}
