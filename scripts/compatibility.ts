/**
 * Writes docs/camel-compatibility.md from the catalogue and from the names that Camel has; with `--check` it only tells whether the
 * file is up to date. What no table can tell is in docs/camel-deviations.md, by hand.
 */
import { catalog } from "../src/workers/catalog.ts";
import {
  camelComponents,
  camelFormats,
  camelLanguages,
  camelSteps,
  camelTopLevel,
} from "../src/workers/check/camel-names.ts";
import { Definitions } from "../src/workers/check/context.ts";
import { elements } from "../src/workers/elements/index.ts";
import type { ComponentDefinition } from "../src/workers/engine/component.ts";
import { kamelets } from "../src/workers/kamelets/index.ts";
import { missingReasons } from "./camel/missing.ts";
import { camelOptions } from "./camel/options.ts";
import { simpleTables } from "./camel/simple-tables.ts";
import { generated } from "./generated.ts";
import { refusals } from "./refused-options.ts";
import { expandedElements } from "./taken-elements.ts";
import { takenOptions, unreadOptions } from "./taken-options.ts";

type Definition = Parameters<Definitions["schema"]>[0];

const definitions = new Definitions(catalog);
const options = await camelOptions();
const simple = await simpleTables();

function page(): string {
  return [
    "# What of Apache Camel there is",
    "",
    "Generated from the catalogue by `npm run docs`: do not edit. The comparison is with Camel 4.22; options are those of its",
    "YAML DSL and of its components. An option that is not named here works as in Camel; one that is refused is answered when the flow",
    "is checked, with the reason below. The page is made by running the check on each name in Camel's",
    "catalogue. Behaviour that differs on purpose is in [camel-deviations.md](camel-deviations.md); what that",
    "comes to for 240 public route files is in [camel-corpus.md](maintaining/camel-corpus.md).",
    "",
    ...table("Top-level elements", camelTopLevel, new Map(elements.map((one) => [one.name, one])), expandedElements),
    ...table("Steps", camelSteps, catalog.steps),
    ...table("Expression languages", camelLanguages, catalog.languages),
    ...simple,
    ...table("Data formats", camelFormats, catalog.formats),
    ...table("Components", camelComponents, catalog.components, ["kamelet", "rest"]),
    ...missingOptions(),
    ...idleOptions(),
    "## Kamelets",
    "",
    `Native ones: ${kamelets
      .map(({ name }) => `\`${name}\``)
      .sort()
      .join(
        ", ",
      )}. A flow has those of its own besides: Kamelet documents, and its route templates. Others are refused by name.`,
    "",
  ].join("\n");
}

function table(
  title: string,
  known: readonly string[],
  ours: ReadonlyMap<string, Definition & { readonly docs: string }>,
  also: readonly string[] = [],
): string[] {
  const there = [...new Set([...ours.keys(), ...also])].sort();
  const missing = known.filter((name) => !there.includes(name)).sort();
  const own = there.filter((name) => !known.includes(name));
  const kind = kinds[title];
  const catalogued = kind === undefined ? "" : " Camel's options |";
  return [
    `## ${title}`,
    "",
    `${there.length - own.length} of Camel's ${known.length}${own.length === 0 ? "" : `, and ${own.map((name) => `\`${name}\``).join(", ")} of this runtime's own`}.`,
    "",
    `| name |${catalogued} options that are refused, or taken with one value only |`,
    `|---|${kind === undefined ? "" : "---|"}---|`,
    ...there.map(
      (name) =>
        `| \`${name}\` |${kind === undefined ? "" : ` ${counts(kind, name)} |`} ${cell(name, ours.get(name))} |`,
    ),
    "",
    ...(missing.length === 0 ? [] : [`Not here: ${missing.map((name) => `\`${name}\``).join(", ")}.`, ""]),
  ];
}

const kinds: Readonly<Record<string, string>> = {
  "Top-level elements": "element",
  Steps: "step",
  "Expression languages": "language",
  "Data formats": "format",
};

/** What a message of the check says before its reason. */
const announcement = /^(?:'\w+' of '\w+' is refused: |bean '[^']*': '\w+' |route attribute .* does not have it yet: )/;

/** `12: 10 taken, 2 refused`, of the names in Camel's catalogue. */
function counts(kind: string, name: string): string {
  const own = options.filter((option) => option.kind === kind && option.owner === name);
  const parts = (["taken", "idle", "refused", "missing"] as const)
    .map((state) => [own.filter((option) => option.state === state).length, state] as const)
    .filter(([count]) => count > 0)
    .map(([count, state]) => `${count} ${state === "idle" ? "without effect" : state}`);
  return own.length === 0 ? "" : parts.length === 1 ? `${parts}` : `${own.length}: ${parts.join(", ")}`;
}

function cell(name: string, definition: Definition | undefined): string {
  const refused =
    definition === undefined
      ? options
          .filter(({ kind, owner, state }) => kind === "element" && owner === name && state === "refused")
          .map(({ path, why = "" }) => ({ option: path, why: why.replace(announcement, "") }))
      : refusals(definitions.schema(definition), "");
  return escaped(refused.map(({ option, why }) => `\`${option}\`: ${why}`).join("; "));
}

function escaped(text: string): string {
  return text.replaceAll("|", "\\|").replaceAll("\n", " ");
}

/** What Camel's catalogue has, and the check calls unknown. */
function missingOptions(): string[] {
  const missing = options.filter(({ state }) => state === "missing");
  return [
    "## Missing options",
    "",
    `Camel's YAML DSL has ${options.length} options for the parts above. ${missing.length === 0 ? "The check knows all of them." : `The check calls ${missing.length} of them unknown:`}`,
    "",
    ...missing.map(({ owner, path }) => `- \`${owner}.${path}\`: ${missingReasons.get(`${owner}.${path}`)}`),
    ...(missing.length === 0 ? [] : [""]),
  ];
}

/** What is taken and changes nothing: with a warning, and in silence. */
function idleOptions(): string[] {
  const warned = takenOptions().flatMap(({ owner, path, idle }) => (idle === undefined ? [] : [{ owner, path, idle }]));
  for (const { kind, owner, path, state, why = "" } of options) {
    if (kind !== "element" || state !== "idle" || !expandedElements.includes(owner) || why.startsWith("No effect"))
      continue;
    warned.push({ owner, path, idle: why.replace(/^.*? has no effect: |^.*?, which /, "") });
  }
  const silent = unreadOptions().map(({ owner, path }) => `\`${owner}.${path}\``);
  return [
    "## Options that change nothing",
    "",
    "They say how Camel does something that has one way here. The check takes them with the warning `no_effect`.",
    "",
    "| name | option | why |",
    "|---|---|---|",
    ...warned.map(({ owner, path, idle }) => `| \`${owner}\` | \`${path}\` | ${idle} |`),
    "",
    "The same warning has an option that only the other end of an endpoint reads, since in Camel one URI may stand at both ends:",
    "",
    ...otherEnds(),
    "",
    "`id`, `description` and `note` name and describe a part for people, and `disabled: true` takes a step out of the flow. Every other",
    `option that is taken is read. Taken, and read by nothing: ${silent.length === 0 ? "none" : silent.join(", ")}.`,
    "",
  ];
}

function otherEnds(): string[] {
  return [...catalog.components.values()].flatMap(({ scheme, ends }) =>
    ends === undefined ? [] : [`- \`${scheme}\`${ofEnds(ends)}.`],
  );
}

function ofEnds({ consumer, producer, unpolled = [] }: NonNullable<ComponentDefinition["ends"]>): string {
  const listed = (names: readonly string[]): string => names.map((name) => `\`${name}\``).join(", ");
  const parts = [
    ["in `from` alone", consumer],
    ["in `to` alone", producer],
    ["not where it is polled", unpolled],
  ] as const;
  return parts
    .filter(([, names]) => names.length > 0)
    .map(([where, names]) => ` ${where}: ${listed(names)}`)
    .join(";");
}

generated("docs/camel-compatibility.md", page());
