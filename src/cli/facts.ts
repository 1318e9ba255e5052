/** What runs and failed messages show alike: facts below each other, and errors with their place in the flow's file. */
import type { components } from "../client/index.ts";
import { plainLine, plainText, type Style, type Terminal } from "./terminal.ts";

/** One without a value is left out. */
export type Fact = readonly [name: string, value: string | number | null | undefined, style?: Style | undefined];

type Failure = NonNullable<components["schemas"]["FailedMessage"]["error"]>;
type Trigger = Omit<components["schemas"]["FailedMessage"]["trigger"], "uri"> & { readonly uri?: string };

const column = 10;

export function sayFacts(terminal: Terminal, facts: readonly Fact[]): void {
  for (const [name, value, style] of facts) {
    if (value === null || value === undefined || value === "") continue;
    const text = plainLine(String(value));
    terminal.say(
      `${terminal.paint("dim", name.padEnd(column))}${style === undefined ? text : terminal.paint(style, text)}`,
    );
  }
}

/** Prints an error of a flow below an empty line. */
export function sayFailure(terminal: Terminal, flowId: string, { type, message, stepId, line }: Failure): void {
  const place = [...(stepId === null ? [] : [`step ${stepId}`]), ...(line === null ? [] : [`${flowId}.yaml:${line}`])];
  const where = place.length === 0 ? "" : ` (${place.join(", ")})`;
  terminal.say("");
  terminal.say(`${terminal.paint("red", "error".padEnd(column))}${plainLine(`${type}${where}`)}`);
  terminal.say(indented(message));
}

/** Lines below the values of facts. */
export function indented(text: string): string {
  return plainText(text).replaceAll(/^/gm, " ".repeat(column));
}

export function triggerText({ kind, method, path, uri }: Trigger): string {
  return [kind, method, path ?? uri].filter((part) => part !== undefined && part !== "").join(" ");
}
