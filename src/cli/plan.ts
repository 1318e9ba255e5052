/** The plan of a deployment, and what came of it, as people read it. */
import type { components } from "../client/index.ts";
import { wrapped } from "./columns.ts";
import { plainLine, plainText, type Style, type Terminal } from "./terminal.ts";

export type SetAnswer = components["schemas"]["SetAnswer"];

interface Part {
  readonly name: string;
  readonly action: "create" | "replace" | "unchanged" | "remove";
  readonly revision: number;
  readonly diff?: string;
  readonly warnings: SetAnswer["warnings"];
}

const marks: Readonly<Record<Part["action"], readonly [mark: string, style: Style]>> = {
  create: ["+", "green"],
  replace: ["~", "yellow"],
  remove: ["-", "red"],
  unchanged: ["=", "dim"],
};

export function partsOf({ flows, mappings, policies, connections }: SetAnswer): readonly Part[] {
  return [
    ...connections.map((one) => ({ ...one, name: `connection ${one.name}` })),
    ...mappings.map((one) => ({ ...one, name: `${one.kind} mapping ${one.id}` })),
    ...flows.map((one) => ({ ...one, name: `flow ${one.id}` })),
    ...policies.map((one) => ({ ...one, name: `policy of ${one.flowId}` })),
  ];
}

/** Prints a line for each part, with its diff and its warnings. */
export function sayPlan(terminal: Terminal, answer: SetAnswer, { diffs }: { readonly diffs: boolean }): void {
  for (const part of partsOf(answer)) {
    const [mark, style] = marks[part.action];
    const now = answer.dryRun ? "now revision" : "revision";
    const revision = part.revision === 0 ? "" : terminal.paint("dim", ` (${now} ${part.revision})`);
    terminal.say(`${terminal.paint(style, `${mark} ${part.action.padEnd(9)} ${part.name}`)}${revision}`);
    for (const warning of part.warnings) sayWarning(terminal, warning);
    if (diffs && part.diff !== undefined) sayDiff(terminal, part.diff);
  }
  for (const warning of answer.warnings) sayWarning(terminal, warning);
}

function sayWarning(terminal: Terminal, { code, message, line, column }: SetAnswer["warnings"][number]): void {
  const head = `warning[${code}]`;
  const text = `${head}${line == null ? "" : ` at ${line}:${column ?? 1}`}: ${plainLine(message)}`;
  const lines = terminal.width === undefined ? text : wrapped(text, terminal.width - 6).replaceAll("\n", "\n      ");
  terminal.say(`    ${terminal.paint("yellow", head)}${lines.slice(head.length)}`);
}

function sayDiff(terminal: Terminal, diff: string): void {
  for (const line of plainText(diff).trimEnd().split("\n")) {
    const style = styleOf(line);
    terminal.say(`    ${style === undefined ? line : terminal.paint(style, line)}`.trimEnd());
  }
  terminal.say("");
}

function styleOf(line: string): Style | undefined {
  if (/^(?:---|\+\+\+) /.test(line)) return "bold";
  return ({ "+": "green", "-": "red", "@": "cyan" } as const)[line[0] ?? ""];
}

/** `2 to create, 1 to replace, none to remove, 3 unchanged`, or of a deployment that is done `2 created, ...`. */
export function planSummary(answer: SetAnswer): string {
  const parts = partsOf(answer);
  const of = (action: Part["action"]): number => parts.filter((part) => part.action === action).length;
  const words = answer.dryRun
    ? { create: "to create", replace: "to replace", remove: "to remove", unchanged: "unchanged" }
    : { create: "created", replace: "replaced", remove: "removed", unchanged: "unchanged" };
  return (["create", "replace", "remove", "unchanged"] as const)
    .map((action) => `${of(action)} ${words[action]}`)
    .join(", ");
}
