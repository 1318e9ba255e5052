/** What calls and runs answer, as people read it. */
import type { components } from "../client/index.ts";
import { plainLine, plainText, sayJson, type Terminal, utf8Of } from "./terminal.ts";
import { shortBytes } from "./times.ts";

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
  const { status, headers, body, bodyEncoding, error, runId } = answer;
  if (include === true) sayHead(terminal, status, headers);
  if (typeof body === "string") sayBody(terminal, Buffer.from(body, bodyEncoding ?? "utf8"));
  else if (body !== null && body !== undefined) sayJson(terminal, body);
  if (status !== "completed")
    terminal.complain(`bulkhead: ${status}: ${plainLine(error?.message ?? "")}; bulkhead runs show ${runId} says more`);
}

export function sayHead(terminal: Terminal, status: string, headers: Readonly<Record<string, unknown>>): void {
  terminal.say(terminal.paint("bold", plainLine(status)));
  for (const [name, value] of Object.entries(headers))
    terminal.say(
      `${terminal.paint("cyan", plainLine(name))}: ${plainLine(typeof value === "string" ? value : (JSON.stringify(value) ?? ""))}`,
    );
  terminal.say("");
}

/** What is piped is what was answered, byte for byte; a terminal gets text, and nothing that would steer it. */
export function sayBody(terminal: Terminal, bytes: Uint8Array): void {
  if (terminal.width === undefined) terminal.write(bytes);
  else if (bytes.length > 0) sayText(terminal, bytes);
}

function sayText(terminal: Terminal, bytes: Uint8Array): void {
  const text = utf8Of(bytes);
  if (text !== undefined) terminal.say(plainText(text).replace(/\n$/, ""));
  else terminal.complain(`bulkhead: the body, ${shortBytes(bytes.length)}, is no text: redirect it into a file`);
}
