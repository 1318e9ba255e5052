/**
 * SIGKILL at every operation that the flow store makes on the disk, by its name: before it and after it, in every kind of change
 * over the API, in the undoing of a change that fails, and at boot. Of a kind of change, one flow for each operation stands still
 * there, and then the process is killed. After the restart each is as it was, or as it was to be; the files are whole, none is
 * stray, and numbers go on. `npm run storm -- failpoints [part of a name] [minutes]`: after so many minutes no further part
 * begins, and the verdict has the number of those left out; without them it is whole, 25 parts.
 */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Failpoint, failpoints } from "../control/stores/failpoints.ts";
import { monotonicMs } from "../support/clock.ts";
import { type DiskServer, endOfBoot, startOnDisk } from "./support/disk-server.ts";
import type { ChangePlan, Stop } from "./support/failing-disk.ts";
import { disks, type FoundDisk } from "./support/killed-boots.ts";
import { type Change, changes, flowYaml, lastRevision, seenOf, strayFiles } from "./support/killed-changes.ts";
import { table, verdict } from "./support/table.ts";

const wanted = process.argv[2] ?? "";
const until = monotonicMs() + Number(process.argv[3] ?? Number.POSITIVE_INFINITY) * 60_000;
let leftOut = 0;
/** Made by the first PUT of a process alone, so not by many flows at once: the storm `crash-states` and `failpoints.test.ts` reach it. */
const elsewhere: readonly Failpoint[] = ["routes.sync-above"];
const hits = new Map<Failpoint, number>();
const problems: string[] = [];
const rows: (readonly (string | number)[])[] = [];
let kills = 0;

for (const change of changes.filter(({ name }) => name.includes(wanted))) {
  await part(change.name, (told) =>
    onDisk(
      async () => {},
      (directory) => killChanges(change, directory, told),
    ),
  );
}
for (const disk of disks.filter(({ name }) => name.includes(wanted))) {
  await part(disk.name, (told) => killBoots(disk, told));
}

console.log("");
table(["cut off in", "operations", "cut off", "problems"], rows);
console.log("");
table(
  ["failpoint", "cut off"],
  failpoints.map((point) => [point, hits.get(point) ?? 0]),
);
for (const problem of problems.slice(0, 20)) console.log(problem);
const never = failpoints.filter((point) => !hits.has(point) && !elsewhere.includes(point));
const total = [...hits.values()].reduce((sum, count) => sum + count, 0);
verdict(
  problems.length === 0 && total > 0 && (never.length === 0 || wanted !== "" || leftOut > 0),
  `${total} changes and boots cut off by ${kills} kills at ${hits.size} of ${failpoints.length} failpoints, ${problems.length} problems; never hit: ${never.join(", ") || "none"}; ${leftOut} parts left out`,
);

type Told = (what: string) => void;

interface Cut {
  readonly point: Failpoint;
  readonly stop: Stop;
}

async function part(name: string, kill: (told: Told) => Promise<readonly Cut[]>): Promise<void> {
  if (monotonicMs() > until) {
    leftOut += 1;
    return;
  }
  const before = problems.length;
  const cuts = await kill((what) => problems.push(`${name}: ${what}`));
  for (const { point } of cuts) hits.set(point, (hits.get(point) ?? 0) + 1);
  const operations = new Set(cuts.map(({ stop }) => `${stop.point} ${stop.nth}`)).size;
  rows.push([name, operations, cuts.length, problems.length - before]);
  console.log(`${name}: ${cuts.length} cut off, ${problems.length - before} problems`);
}

/** Before and after each operation; after the one that fails is before the next. */
function cutsOf(points: readonly Failpoint[], fail?: Failpoint): Cut[] {
  return points.flatMap((point, index) => {
    const failed = fail !== undefined && index === points.indexOf(fail);
    const sides = failed ? (["before"] as const) : (["before", "after"] as const);
    const nth = points.slice(0, index + 1).filter((one) => one === point).length;
    return sides.map((when) => ({ point, stop: { point, nth, when } }));
  });
}

async function killChanges(change: Change, directory: string, told: Told): Promise<readonly Cut[]> {
  const first = await startOnDisk(directory);
  await first.put("neighbour", flowYaml("neighbour", "here"));
  const neighbour = await seenOf(first, "neighbour");
  const { before, after, points } = await measure(first, change);
  const cuts = cutsOf(points, change.fail).map((cut) => ({ ...cut, id: idOf(cut.stop) }));
  console.log(`${change.name}: ${cuts.length} to cut off`);
  for (const { id } of cuts) await prepare(first, change, id);
  const last = new Map<string, number>();
  for (const { id } of cuts) last.set(id, await lastRevision(first, id));
  await first.plan(cuts.map(({ id, stop }) => planOf(change, id, stop)));
  const made = cuts.map(({ id }) =>
    change.make(first, id).then(
      ({ status }) => status,
      () => undefined,
    ),
  );
  await first.stopped(cuts.length);
  await first.remove();
  kills += 1;
  const answers = await Promise.all(made);

  const second = await startOnDisk(directory);
  for (const stray of await strayFiles(directory)) told(`${stray} stays behind`);
  if ((await seenOf(second, "neighbour")) !== neighbour) told("the neighbour changed");
  for (const [index, { point, id, stop }] of cuts.entries()) {
    const toldOf: Told = (what) => told(`${stop.when} ${point}, number ${stop.nth}: ${what}`);
    if (answers[index] !== undefined) toldOf(`was answered ${answers[index]}`);
    const seen = await seenOf(second, id);
    if (seen !== before && seen !== after) toldOf(`is ${seen}, which is neither ${before} nor ${after}`);
    await goOn(second, id, last.get(id) ?? 0, toldOf);
  }
  await second.remove();
  return cuts;
}

function idOf({ point, nth, when }: Stop): string {
  return `flow-${point.replace(".", "-")}-${nth}-${when}`;
}

function planOf({ fail }: Change, flowId: string, stop?: Stop): ChangePlan {
  return { flowId, ...(stop !== undefined && { stop }), ...(fail !== undefined && { fail }) };
}

/** The states before and after the change, and the operations that it makes, undoing included. */
async function measure(server: DiskServer, change: Change) {
  await prepare(server, change, "whole");
  const before = await seenOf(server, "whole");
  const answer = await change.make(server, "whole");
  if (!answer.ok) throw new Error(`${change.name}: ${answer.status} ${await answer.text()}`);
  const after = await seenOf(server, "whole");
  await prepare(server, change, "measured");
  await server.plan([planOf(change, "measured")]);
  const { ok } = await change.make(server, "measured");
  if (ok !== (change.fail === undefined)) throw new Error(`${change.name}: ${ok ? "did not fail" : "failed"}`);
  const { measured = [] } = await server.plan([]);
  return { before, after, points: measured };
}

async function prepare(server: DiskServer, change: Change, id: string): Promise<void> {
  for (const call of change.before) {
    const answer = await call(server, id);
    if (!answer.ok) throw new Error(`${change.name}, ${id}: ${answer.status} ${await answer.text()}`);
  }
}

/** Numbers are not given again, and the flow can be changed and deleted. */
async function goOn(server: DiskServer, id: string, last: number, told: Told): Promise<void> {
  const answer = await server.api(`/flows/${id}`, {
    method: "PUT",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify({ yaml: flowYaml(id, "later") }),
  });
  const { revision } = (await answer.json()) as { readonly revision: number };
  if (!answer.ok || revision <= last)
    told(`the next PUT was answered ${answer.status}, revision ${revision} after ${last}`);
  const { ok, status } = await server.api(`/flows/${id}?purge=true`, { method: "DELETE" });
  if (!ok) told(`the next DELETE was answered ${status}`);
}

async function killBoots({ prepare: make, answer }: FoundDisk, told: Told): Promise<readonly Cut[]> {
  const points = await onDisk(make, async (directory) => {
    const server = await startOnDisk(directory);
    const { boot = [] } = await server.plan([]);
    await server.remove();
    return boot;
  });
  const cuts = cutsOf(points);
  for (const { point, stop } of cuts) {
    const toldOf: Told = (what) => told(`${stop.when} ${point}, number ${stop.nth}: ${what}`);
    await onDisk(make, async (directory) => {
      await endOfBoot(directory, stop);
      kills += 1;
      if (kills % 10 === 0) console.log(`${kills} kills`);
      const server = await startOnDisk(directory);
      const seen = await fetch(`${server.url}/api/orders`, { method: "POST" });
      const text = seen.ok ? await seen.text() : undefined;
      if (text !== answer) toldOf(`answers ${text}, not ${answer}`);
      for (const stray of await strayFiles(directory)) toldOf(`${stray} stays behind`);
      await goOn(server, "orders", await lastRevision(server, "orders"), toldOf);
      await server.remove();
    });
  }
  return cuts;
}

async function onDisk<T>(make: FoundDisk["prepare"], use: (directory: string) => Promise<T>): Promise<T> {
  const directory = await mkdtemp(join(tmpdir(), "bulkhead-failpoints-"));
  try {
    await make(directory);
    return await use(directory);
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
}
