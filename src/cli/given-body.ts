/** The message that a person sends with a command: its body and headers. */
import { readFileSync } from "node:fs";
import type { Command } from "commander";
import { UsageError } from "./errors.ts";
import { utf8Of } from "./terminal.ts";

export interface BodyOptions {
  readonly body?: string;
  readonly file?: string;
  readonly header?: readonly string[];
}

/** Adds the options of a message. */
export function withBody(command: Command): Command {
  return command
    .option("-d, --body <text>", "the body; @path is the content of a file, @- that of standard input")
    .option("--file <path>", "the body from a file; - is standard input")
    .option(
      "-H, --header <line>",
      "a header, such as 'X-Region: eu'; may be given more than once",
      (line: string, before: string[] = []) => [...before, line],
    );
}

/** undefined: there is no body. Throws UsageError. */
export function bodyOf({ body, file }: BodyOptions): Uint8Array<ArrayBuffer> | undefined {
  if (body !== undefined && file !== undefined)
    throw new UsageError("give the body by --body or by --file, not by both");
  if (file !== undefined) return contentOf(file, "--file ");
  if (body?.startsWith("@") !== true) return body === undefined ? undefined : new TextEncoder().encode(body);
  return contentOf(body.slice(1), "--body @");
}

function contentOf(path: string, option: string): Uint8Array<ArrayBuffer> {
  try {
    return new Uint8Array(readFileSync(path === "-" ? 0 : path));
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    throw new UsageError(`${option}${path} cannot be read: ${why}`);
  }
}

/** By their names as they are given first; the values of a name that comes again are joined, as HTTP joins them. Throws UsageError. */
export function headersOf({ header = [] }: BodyOptions): Record<string, string> {
  const headers = new Map<string, string>();
  for (const line of header) {
    const [, name = "", value = ""] = /^([!#$%&'*+.^_`|~0-9A-Za-z-]+):\s*(.*)$/.exec(line) ?? [];
    if (name === "") throw new UsageError(`--header takes 'Name: value', and '${line}' is no such line`);
    const known = [...headers.keys()].find((one) => one.toLowerCase() === name.toLowerCase()) ?? name;
    const before = headers.get(known);
    headers.set(known, before === undefined ? value : `${before}, ${value}`);
  }
  return Object.fromEntries(headers);
}

/** Adds `Content-Type: application/json` for a body that is a JSON object or list, unless the headers have a type. */
export function typed(
  headers: Readonly<Record<string, string>>,
  body: Uint8Array | undefined,
): Readonly<Record<string, string>> {
  const hasType = Object.keys(headers).some((name) => name.toLowerCase() === "content-type");
  return hasType || !isDocument(body) ? headers : { ...headers, "Content-Type": "application/json" };
}

function isDocument(body: Uint8Array | undefined): boolean {
  const text = Buffer.from(body ?? []).toString();
  if (!/^\s*[{[]/.test(text)) return false;
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

/** A text when it is UTF-8, else base64: what documents have for a body. */
export function documentBody(bytes: Uint8Array | undefined): { readonly body?: string; readonly bodyBase64?: string } {
  if (bytes === undefined) return {};
  const body = utf8Of(bytes);
  return body === undefined ? { bodyBase64: Buffer.from(bytes).toString("base64") } : { body };
}
