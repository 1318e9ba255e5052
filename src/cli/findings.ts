/** Findings about files as compilers show them: the message, the place, the line of the source with what is meant underlined. */
import { beginningOf, columnsOf, wrapped } from "./columns.ts";
import type { Finding } from "./offline-check.ts";
import { plainLine, type Style, type Terminal } from "./terminal.ts";
import { counted } from "./times.ts";

/** `sources`: the texts by path. */
export function sayFindings(
  terminal: Terminal,
  findings: readonly Finding[],
  sources: ReadonlyMap<string, string>,
): void {
  const lines = new Map<string, readonly string[]>();
  for (const finding of findings) {
    const { file } = finding;
    const known = lines.get(file) ?? (sources.get(file) ?? "").split(/\r?\n/);
    lines.set(file, known);
    sayFinding(terminal, finding, known);
  }
}

function sayFinding(terminal: Terminal, finding: Finding, source: readonly string[]): void {
  const { severity, code, message, file, line, column } = finding;
  const style = severity === "error" ? "red" : "yellow";
  const head = `${severity}[${code}]`;
  const text = `${head}: ${plainLine(message)}`;
  const lines = terminal.width === undefined ? text : wrapped(text, terminal.width);
  terminal.say(`${terminal.paint([style, "bold"], head)}${terminal.paint("bold", lines.slice(head.length))}`);
  const meantLine = line === null ? undefined : source[line - 1];
  const gutter = " ".repeat(String(line ?? "").length);
  const blue = (text: string): string => terminal.paint("blue", text);
  terminal.say(`${gutter}${blue("-->")} ${plainLine(file)}${line === null ? "" : `:${line}:${column ?? 1}`}`);
  if (meantLine !== undefined && line !== null) {
    const room = terminal.width === undefined ? undefined : terminal.width - gutter.length - 3;
    const { part, carets } = excerpt(shown(meantLine), meant(finding, meantLine), room);
    terminal.say(`${gutter} ${blue("|")}`);
    terminal.say(`${blue(`${line} |`)} ${part}`);
    terminal.say(`${gutter} ${blue("|")} ${terminal.paint([style, "bold"], carets)}`);
  }
  terminal.say("");
}

interface Place {
  /** From 0 on; `end` is behind the last one. */
  readonly start: number;
  readonly end: number;
}

/** The characters of the line that are meant; a place that goes on in later lines ends with its first. */
function meant({ line, column, endLine, endColumn }: Finding, source: string): Place {
  const start = Math.max(0, Math.min((column ?? 1) - 1, source.length));
  const end = endLine === line && endColumn !== null ? endColumn - 1 : source.trimEnd().length;
  return { start, end: Math.max(start + 1, Math.min(end, source.length)) };
}

/** Of a line before what is meant so much stays when the line is cut. */
const before = 12;

/** The line with carets below what is meant; of one that is too long for the terminal the part that has it. */
function excerpt(source: string, { start, end }: Place, room = Number.POSITIVE_INFINITY) {
  const from = columnsOf(source.slice(0, end)) > room ? Math.max(0, start - before) : 0;
  const lead = from > 0 ? "…" : "";
  const line = lead + source.slice(from);
  const part = columnsOf(line) > room ? `${beginningOf(line, room - 1)}…` : line;
  const left = columnsOf(lead + source.slice(from, start));
  const carets = "^".repeat(Math.max(1, Math.min(columnsOf(source.slice(start, end)), room - left)));
  return { part, carets: " ".repeat(left) + carets };
}

/** Characters that have no place of their own on a terminal are shown as spaces. */
function shown(source: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is replaced
  return source.replaceAll(/[\u0000-\u001f\u007f-\u009f\u2028\u2029\u202a-\u202e\u2066-\u2069]/g, " ").trimEnd();
}

/** `2 errors and 1 warning in 3 files`. */
export function summaryOf({ paint }: Terminal, findings: readonly Finding[], files: number): string {
  const errors = findings.filter(({ severity }) => severity === "error").length;
  const warnings = findings.length - errors;
  const of = (style: Style, number: number, what: string): string =>
    number === 0 ? counted(number, what) : paint([style, "bold"], counted(number, what));
  return `${of("red", errors, "error")} and ${of("yellow", warnings, "warning")} in ${counted(files, "file")}`;
}
