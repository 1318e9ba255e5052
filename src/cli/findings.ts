/** Findings about files as compilers show them: the message, the place, the line of the source with what is meant underlined. */
import type { Finding } from "./offline-check.ts";
import { plainLine, type Terminal } from "./terminal.ts";

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

function sayFinding(terminal: Terminal, finding: Finding, lines: readonly string[]): void {
  const { severity, code, message, file, line, column } = finding;
  const style = severity === "error" ? "red" : "yellow";
  terminal.say(
    `${terminal.paint([style, "bold"], `${severity}[${code}]`)}${terminal.paint("bold", `: ${plainLine(message)}`)}`,
  );
  const source = line === null ? undefined : lines[line - 1];
  const gutter = " ".repeat(String(line ?? "").length);
  const blue = (text: string): string => terminal.paint("blue", text);
  terminal.say(`${gutter}${blue("-->")} ${file}${line === null ? "" : `:${line}:${column ?? 1}`}`);
  if (source !== undefined && line !== null) {
    terminal.say(`${gutter} ${blue("|")}`);
    terminal.say(`${blue(`${line} |`)} ${shown(source)}`);
    terminal.say(`${gutter} ${blue("|")} ${terminal.paint(style, underline(finding, source))}`);
  }
  terminal.say("");
}

/** Under the columns that are meant; a place that goes on in later lines is underlined to the end of its first. */
function underline({ line, column, endLine, endColumn }: Finding, source: string): string {
  const start = Math.max(0, Math.min((column ?? 1) - 1, source.length));
  const end = endLine === line && endColumn !== null ? endColumn - 1 : source.trimEnd().length;
  return `${" ".repeat(start)}${"^".repeat(Math.max(1, Math.min(end, source.length) - start))}`;
}

/** Each character of the line takes one column, so that the carets stand below what they mean. */
function shown(source: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is replaced
  return source.replaceAll(/[\u0000-\u001f\u007f-\u009f\u2028\u2029\u202a-\u202e\u2066-\u2069]/g, " ").trimEnd();
}

/** `2 errors and 1 warning in 3 files`. */
export function summaryOf(findings: readonly Finding[], files: number): string {
  const errors = findings.filter(({ severity }) => severity === "error").length;
  const warnings = findings.length - errors;
  return `${counted(errors, "error")} and ${counted(warnings, "warning")} in ${counted(files, "file")}`;
}

function counted(number: number, what: string): string {
  return `${number === 0 ? "no" : number} ${what}${number === 1 ? "" : "s"}`;
}
