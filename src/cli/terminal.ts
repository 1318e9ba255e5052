/** What commands print to and read from: the streams of the process, and what its terminal can show. */
import { styleText } from "node:util";
import { stringify } from "../client/json.ts";
import { escapeControls } from "../shared/escape-controls.ts";

export type Style = "bold" | "dim" | "red" | "green" | "yellow" | "cyan" | "magenta" | "blue";

export interface Terminal {
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Columns; undefined: the output is no terminal, and nothing is cut. */
  readonly width: number | undefined;
  /** Returns the text in the style, where colours are shown. */
  paint(style: Style | readonly Style[], text: string): string;
  /** Prints a line, or several, to standard output. */
  say(text: string): void;
  /** Writes to standard output as it is. */
  write(bytes: Uint8Array): void;
  /** Prints to standard error. */
  complain(text: string): void;
  /** Asks a person, who types a line; absent: nobody sits before it. */
  readonly ask?: (question: string) => Promise<string>;
}

export function processTerminal(): Terminal {
  const { stdout, stderr, env } = process;
  const colours = stdout.isTTY === true && (env["NO_COLOR"] ?? "") === "" && env["TERM"] !== "dumb";
  for (const stream of [stdout, stderr]) stream.on("error", endUnwritten);
  return {
    env,
    width: stdout.isTTY === true ? stdout.columns || 80 : undefined,
    paint: (style, text) => (colours ? styleText(style as Style[], text, { validateStream: false }) : text),
    say: (text) => stdout.write(`${text}\n`),
    write: (bytes) => stdout.write(bytes),
    complain: (text) => stderr.write(`${text}\n`),
    ...(process.stdin.isTTY === true && stderr.isTTY === true && { ask: askPerson }),
  };
}

async function askPerson(question: string): Promise<string> {
  const { createInterface } = await import("node:readline/promises");
  const lines = createInterface({ input: process.stdin, output: process.stderr });
  try {
    return await lines.question(question);
  } finally {
    lines.close();
  }
}

/** The reader of the output has ended, as `head` does: that ends the command, too, with the exit code of SIGPIPE. A full disk is a failure. */
function endUnwritten({ code, message }: NodeJS.ErrnoException): void {
  if (code !== "EPIPE") process.stderr.write(`bulkhead: the output cannot be written: ${message}\n`);
  process.exit(code === "EPIPE" ? 141 : 1);
}

/** Prints a document as JSON of several lines. */
export function sayJson(terminal: Terminal, document: unknown): void {
  terminal.say(jsonOf(document, 2));
}

/** Whole numbers beyond 2^53 have all their digits. Characters that would steer the terminal are escaped, which programs read as the same. */
export function jsonOf(document: unknown, indentation?: number): string {
  return escapeControls(stringify(document, indentation));
}

/** Text of a server on one line, without characters that would steer the terminal. */
export function plainLine(text: string): string {
  const lines = text.split("\n").map((line) => line.trim());
  const line = lines.length === 1 ? text : lines.filter((one) => one !== "").join(" ");
  return plainText(line.replaceAll("\t", " "));
}

/** As plainLine, lines and tabs kept. */
export function plainText(text: string): string {
  return escapeControls(text.replaceAll("\r\n", "\n"));
}

/** undefined: the bytes are no text. */
export function utf8Of(bytes: Uint8Array): string | undefined {
  const text = Buffer.from(bytes).toString();
  return Buffer.from(text).equals(bytes) ? text : undefined;
}
