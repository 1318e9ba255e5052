/** What calls and runs answer, as people read it. */
import type { components } from "../client/index.ts";
import { plainLine, plainText, sayJson, type Terminal } from "./terminal.ts";

type InvokeAnswer = components["schemas"]["TestInvokeAnswer"];

/** Prints what a run has answered: of a call of an endpoint, of a trigger. */
export function sayAnswer(
  terminal: Terminal,
  answer: InvokeAnswer,
  { json, include }: { readonly json?: boolean; readonly include?: boolean },
): void {
  if (json === true) {
    sayJson(terminal, answer);
    return;
  }
  const { status, headers, body, error, runId } = answer;
  if (include === true) sayHead(terminal, status, headers);
  if (body !== null && body !== undefined)
    sayBody(terminal, typeof body === "string" ? body : JSON.stringify(body, undefined, 2));
  if (status !== "completed")
    terminal.complain(`bulkhead: ${status}: ${plainLine(error?.message ?? "")}; bulkhead runs show ${runId} says more`);
}

export function sayHead(terminal: Terminal, status: string, headers: Readonly<Record<string, unknown>>): void {
  terminal.say(terminal.paint("bold", status));
  for (const [name, value] of Object.entries(headers))
    terminal.say(
      `${terminal.paint("cyan", plainLine(name))}: ${plainLine(typeof value === "string" ? value : (JSON.stringify(value) ?? ""))}`,
    );
  terminal.say("");
}

/** What is piped is what was answered; a terminal gets nothing that would steer it. */
export function sayBody(terminal: Terminal, text: string): void {
  if (text !== "") terminal.say((terminal.width === undefined ? text : plainText(text)).replace(/\n$/, ""));
}
