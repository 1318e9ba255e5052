/** How `top` shows flows: as a table under a line of sums, or as JSON. */
import { type Column, sayTable } from "./table.ts";
import type { Style, Terminal } from "./terminal.ts";
import { shortBytes, shortTime } from "./times.ts";
import type { FlowFigures } from "./top-sample.ts";

export const sorts = ["cpu", "memory", "runs", "errors", "name"] as const;
export type Sort = (typeof sorts)[number];

/** What a sort goes by, in the order of its weight: the largest are the first. */
const weights: Readonly<Record<Exclude<Sort, "name">, (flow: FlowFigures) => readonly number[]>> = {
  cpu: ({ cpuPercent = 0, memoryBytes }) => [cpuPercent, memoryBytes],
  memory: ({ memoryBytes }) => [memoryBytes],
  runs: ({ runsPerSecond = 0 }) => [runsPerSecond],
  errors: ({ errorsPerSecond = 0, errors }) => [errorsPerSecond, errors],
};

/** Flows that are equal stay in the order of their names. */
export function sorted(flows: readonly FlowFigures[], sort: Sort): FlowFigures[] {
  const byName = [...flows].sort((a, b) => (a.id < b.id ? -1 : 1));
  if (sort === "name") return byName;
  const of = weights[sort];
  return byName.sort((a, b) => {
    const theirs = of(b);
    return of(a).reduce((order, own, at) => order || (theirs[at] ?? 0) - own, 0);
  });
}

const nextRunColumn: Column<FlowFigures> = {
  title: "NEXT RUN",
  text: ({ nextRun }) => (nextRun === undefined ? "" : shortTime(nextRun)),
};

const stateStyles: Readonly<Record<string, Style>> = { Started: "green", Failed: "red", Quarantined: "red" };

/** `sort`: its column is marked. */
export function sayFigures(terminal: Terminal, flows: readonly FlowFigures[], sort: Sort): void {
  const mark = (title: string, by: Sort): string => (sort === by ? `${title}${by === "name" ? "▴" : "▾"}` : title);
  sayTable(
    terminal,
    flows,
    [
      { title: mark("FLOW", "name"), text: ({ id }) => id, style: () => "bold" },
      { title: "STATE", text: ({ state }) => state, style: ({ state }) => stateStyles[state] ?? "yellow" },
      {
        title: mark("CPU %", "cpu"),
        text: ({ cpuPercent }) => one(cpuPercent),
        style: ({ cpuPercent = 0 }) => (cpuPercent >= 80 ? "red" : cpuPercent >= 30 ? "yellow" : undefined),
        right: true,
      },
      { title: mark("MEMORY", "memory"), text: ({ memoryBytes }) => shortBytes(memoryBytes), right: true },
      { title: mark("RUNS/S", "runs"), text: ({ runsPerSecond }) => one(runsPerSecond), right: true },
      {
        title: mark("ERRORS/S", "errors"),
        text: ({ errorsPerSecond }) => one(errorsPerSecond),
        style: ({ errorsPerSecond = 0 }) => (errorsPerSecond > 0 ? "red" : undefined),
        right: true,
      },
      {
        title: "ERRORS",
        text: ({ errors }) => String(errors),
        style: ({ errors }) => (errors > 0 ? "yellow" : undefined),
        right: true,
      },
      { title: "THREADS", text: ({ threads }) => String(threads), right: true },
      { title: "RUNNING", text: ({ inflight }) => String(inflight), right: true },
      {
        title: "QUEUE",
        text: ({ queued }) => String(queued),
        style: ({ queued }) => (queued > 0 ? "yellow" : undefined),
        right: true,
      },
      ...(flows.some(({ nextRun }) => nextRun !== undefined) ? [nextRunColumn] : []),
    ],
    "There are no flows.",
  );
}

/** `3 flows · 4 threads · CPU 12.5 % · 40.0 MiB · 7.0 runs/s · 0.0 errors/s`. */
export function sumsOf(flows: readonly FlowFigures[]): string {
  const sum = (of: (flow: FlowFigures) => number | undefined): number | undefined => {
    const known = flows.map(of).filter((number) => number !== undefined);
    return known.length === 0 ? undefined : known.reduce((total, number) => total + number, 0);
  };
  const threads = sum((flow) => flow.threads) ?? 0;
  return [
    `${flows.length} ${flows.length === 1 ? "flow" : "flows"}`,
    `${threads} ${threads === 1 ? "thread" : "threads"}`,
    `CPU ${one(sum((flow) => flow.cpuPercent))} %`,
    shortBytes(sum((flow) => flow.memoryBytes) ?? 0),
    `${one(sum((flow) => flow.runsPerSecond))} runs/s`,
    `${one(sum((flow) => flow.errorsPerSecond))} errors/s`,
  ].join(" · ");
}

function one(number: number | undefined): string {
  return number === undefined ? "-" : number.toFixed(1);
}
