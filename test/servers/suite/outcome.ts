/** What a case of the suite has counted, and the table of all. */
import { writeFileSync } from "node:fs";

export interface Outcome {
  readonly connector: string;
  readonly test: string;
  /** Messages whose writing was acknowledged; undefined: the case counts no messages. */
  readonly produced?: number;
  readonly lost?: number;
  readonly doubled?: number;
  /** What else was measured. */
  readonly note?: string;
}

/** `consumed`: the texts that have arrived, of those that were produced. */
export function countOf(
  produced: readonly string[],
  consumed: readonly string[],
): { readonly lost: number; readonly doubled: number } {
  const arrived = new Set(consumed);
  const lost = produced.filter((text) => !arrived.has(text)).length;
  return { lost, doubled: consumed.length - arrived.size };
}

const head = ["connector", "case", "produced", "lost", "doubled", ""] as const;

function cellsOf({ connector, test, produced, lost, doubled, note }: Outcome): readonly string[] {
  return [connector, test, produced, lost, doubled, note].map((cell) => String(cell ?? ""));
}

export function tableOf(outcomes: readonly Outcome[]): string {
  const all = [head, ...outcomes.map(cellsOf)];
  const widths = head.map((_, at) => Math.max(...all.map((row) => row[at]?.length ?? 0)));
  return all.map((row) => row.map((cell, at) => cell.padEnd(widths[at] ?? 0)).join("  ")).join("\n");
}

const page = (rows: string): string => `# The suite of connectors

Every connector passes the same cases, on real servers; the embedded database has none. \`npm run test:servers -- suite\` runs them; with \`SUITE_PAGE=docs/connectors/suite.md\` it writes this page.

*Produced* are the messages whose writing the server has acknowledged, *lost* those of them that the flow has never written, and *doubled* those that it has written more than once. A message is doubled when it was written and its acknowledgement was
lost with the thread, the runtime or the server; with \`transacted\` both are one transaction. In the case in which one of ten runs fails, a run fails after it has written: as many are doubled as runs have failed.
*Alike* are cases that do not depend on how messages are acknowledged, *left out* are those that need what a connector does not have. The numbers of single cases change from run to run; lost is always 0.

${rows}
`;

/** Writes the table as a page of the documentation: a row for each case, a column for each connector. */
export function writePage(path: string, outcomes: readonly Outcome[]): void {
  const connectors = [...new Set(outcomes.map(({ connector }) => connector))];
  const cell = (connector: string, test: string): string => {
    const of = outcomes.filter((one) => one.connector === connector && one.test === test);
    if (of.length === 0) return "alike";
    return of
      .map(({ produced, lost, doubled, note }) =>
        [produced === undefined ? "" : `${produced}: lost ${lost}, doubled ${doubled}`, note ?? ""]
          .filter((part) => part !== "")
          .join("; "),
      )
      .join("; ");
  };
  const tests = [...new Set(outcomes.map(({ test }) => test))];
  const rows = [
    `| case | ${connectors.join(" | ")} |`,
    `|---|${connectors.map(() => "---|").join("")}`,
    ...tests.map((test) => `| ${test} | ${connectors.map((one) => cell(one, test)).join(" | ")} |`),
  ];
  writeFileSync(path, page(rows.join("\n")));
}
