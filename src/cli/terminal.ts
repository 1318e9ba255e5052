/** What commands print to and read from: the streams of the process, and what its terminal can show. */
import { styleText } from "node:util";

export type Style = "bold" | "dim" | "red" | "green" | "yellow" | "cyan" | "magenta" | "blue";

export interface Terminal {
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Columns; undefined: the output is no terminal, and nothing is cut. */
  readonly width: number | undefined;
  /** Returns the text in the style, where colours are shown. */
  paint(style: Style | readonly Style[], text: string): string;
  /** Prints to standard output. */
  say(text: string): void;
  /** Prints to standard error. */
  complain(text: string): void;
}

export function processTerminal(): Terminal {
  const { stdout, stderr, env } = process;
  const colours = stdout.isTTY === true && (env["NO_COLOR"] ?? "") === "" && env["TERM"] !== "dumb";
  // The reader of the output has ended, as with `head`: end with the exit code of SIGPIPE.
  stdout.on("error", () => process.exit(141));
  return {
    env,
    width: stdout.isTTY === true ? stdout.columns || 80 : undefined,
    paint: (style, text) => (colours ? styleText(style as Style[], text, { validateStream: false }) : text),
    say: (text) => stdout.write(`${text}\n`),
    complain: (text) => stderr.write(`${text}\n`),
  };
}

/** Prints a document as JSON, whole numbers beyond 2^53 with all their digits. */
export function sayJson(terminal: Terminal, document: unknown): void {
  terminal.say(JSON.stringify(document, withBigInts, 2));
}

function withBigInts(_key: string, value: unknown): unknown {
  return typeof value === "bigint"
    ? (JSON as unknown as { rawJSON(text: string): unknown }).rawJSON(`${value}`)
    : value;
}

/** Text of a server on one line, without characters that would steer the terminal. */
export function plainLine(text: string): string {
  return plainText(text.replaceAll(/\s*\n\s*/g, " "));
}

/** As plainLine, lines and tabs kept. */
export function plainText(text: string): string {
  return text.replaceAll(
    // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
    /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u2028\u2029\u202a-\u202e\u2066-\u2069]/g,
    (found) => `\\u${found.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}
