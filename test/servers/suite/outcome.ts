/** What a case of the suite has counted, and the table of all. */
import { existsSync, readFileSync, writeFileSync } from "node:fs";

export interface Outcome {
  readonly connector: string;
  readonly test: string;
  /** Messages whose writing was acknowledged; undefined: the case counts no messages. */
  readonly produced?: number;
  readonly lost?: number;
  readonly doubled?: number;
  /** true: the connector does not have what the case needs, which the note says. */
  readonly isLeftOut?: true;
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

/** What all cases have counted, in a line. */
export function sumOf(outcomes: readonly Outcome[]): string {
  const sum = (count: (one: Outcome) => number | undefined): number =>
    outcomes.reduce((total, one) => total + (count(one) ?? 0), 0);
  const runs = new Set(
    outcomes.filter(({ isLeftOut }) => isLeftOut !== true).map(({ connector, test }) => `${connector}: ${test}`),
  ).size;
  return `${runs} runs, ${sum(({ produced }) => produced)} messages, ${sum(({ lost }) => lost)} lost, ${sum(({ doubled }) => doubled)} doubled`;
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

Every connector passes the cases of this table on a real server. The embedded database has no server: the runtime's process for it is killed instead.

| command | runs |
| --- | --- |
| \`npm run test:servers -- suite\` | the suites of all servers |
| \`npm run test:servers -- kafka\` | the suite of Kafka, and all other tests of Kafka |
| \`npm run test:servers -- --smoke\` | four cases with one connector of each server: 200 messages in order, a lost thread, a server that goes away, and two deployments under load. Each change has to pass it |

If \`SUITE_PAGE=docs/connectors/suite.md\` is set, the suite writes the columns of the connectors that have run into this page.

- *Produced* messages are those whose writing the server has acknowledged. The first number of a cell counts them.
- *Lost* messages were produced, and the flow has never written them. The number is always 0.
- *Doubled* messages were written more than once. A message is doubled if the flow has written it and its acknowledgement was lost with the thread, the runtime or the server. With \`transacted\` the write and the acknowledgement are one transaction, so no message is doubled. In the case in which one of ten runs fails, the run fails after it has written: as many messages are doubled as runs have failed.
- *Alike* means that another column of the row answers for this connector. Either the case does not depend on how messages are acknowledged, or it asks something of code that all connectors share.
- *Left out* cases need something that the connector does not have.

Counts of single cases change from run to run.

${rows}
`;

/** Cells by connector and case. */
type Table = Map<string, Map<string, string>>;

/** What the cases of one connector have counted, a cell for each case. */
function columnOf(connector: string, outcomes: readonly Outcome[]): Map<string, string> {
  const cells = new Map<string, string>();
  for (const { test, produced, lost, doubled, note } of outcomes.filter((one) => one.connector === connector)) {
    const counted = produced === undefined ? undefined : `${produced}: lost ${lost}, doubled ${doubled}`;
    const parts = [cells.get(test), counted, note].filter((part) => part !== undefined && part !== "");
    cells.set(test, parts.join("; ").replaceAll("|", "/"));
  }
  return cells;
}

function tableIn(text: string): Table {
  const rows = text
    .slice(text.indexOf("| case |"))
    .split("\n")
    .filter((line) => line.startsWith("| "))
    .map((line) => line.slice(2, -2).split(" | "));
  const [[, ...connectors] = [], ...cases] = rows;
  return new Map(
    connectors.map((connector, at) => [
      connector,
      new Map(cases.map(([test = "", ...cells]): [string, string] => [test, cells[at] ?? ""])),
    ]),
  );
}

/** Cases in the order in which each column has them; those that are new stand behind the case before them. */
function casesOf(columns: readonly ReadonlyMap<string, string>[]): readonly string[] {
  const all: string[] = [];
  for (const column of columns) {
    let before = -1;
    for (const test of column.keys()) {
      const at = all.indexOf(test);
      if (at < 0) all.splice(before + 1, 0, test);
      before = at < 0 ? before + 1 : at;
    }
  }
  return all;
}

/**
 * Writes the table as a page of the documentation: a row for each case, a column for each connector. Columns of other connectors stay as they are. `isPart`: only some cases
 * were run, and the cells of the others stay, too.
 */
export function writePage(
  path: string,
  outcomes: readonly Outcome[],
  isPart = process.env["SUITE_CASES"] !== undefined,
): void {
  const table = existsSync(path) ? tableIn(readFileSync(path, "utf8")) : new Map();
  for (const connector of new Set(outcomes.map((one) => one.connector))) {
    const column = columnOf(connector, outcomes);
    const old: ReadonlyMap<string, string> = table.get(connector) ?? new Map();
    table.set(connector, isPart ? new Map([...old, ...column]) : column);
  }
  const columns = [...table.values()];
  const cell = (column: ReadonlyMap<string, string>, test: string): string => column.get(test) || "alike";
  // A case that is not there any more is alike for all.
  const cases = casesOf(columns).filter((test) => columns.some((column) => cell(column, test) !== "alike"));
  const rows = [
    `| case | ${[...table.keys()].join(" | ")} |`,
    `|---|${columns.map(() => "---|").join("")}`,
    ...cases.map((test) => `| ${test} | ${columns.map((column) => cell(column, test)).join(" | ")} |`),
  ];
  writeFileSync(path, page(rows.join("\n")));
}
