/**
 * A flow that has to lose its thread: from the deadline of a run that is stuck in one step to the call that ends the thread, and from
 * that call to the flow's next good answer. The run is in an endless loop that is put into its thread; good
 * calls come every few milliseconds around the time of the kill, so that some wait in the stuck thread and some come after it.
 * All times are of one clock that all processes share. `npm run bench -- recovery [kills]`
 *
 * `--isolation process`: the flow is in a host process. Its threads are ended in there, where nobody listens: the end is as
 * the run's record tells it, and the time to the answer is from the deadline. Half of the kills are of the whole host, by SIGKILL from here.
 */
import { setTimeout as sleep } from "node:timers/promises";
import { parseArgs } from "node:util";
import { Pool } from "undici";
import { childrenOf } from "../test/storms/support/proc.ts";
import { table } from "../test/storms/support/table.ts";
import { type Bar, printBars } from "./support/bars.ts";
import { clockMs } from "./support/clock.ts";
import { machine, median, quantile, report, round } from "./support/figures.ts";
import { putFlow, startRuntime, token } from "./support/server-process.ts";
import type { Terminated } from "./support/terminate-probe.ts";

const { values, positionals } = parseArgs({ allowPositionals: true, options: { isolation: { type: "string" } } });
const [kills = 40] = positionals.map(Number);
const inHost = values.isolation === "process";
const mostDeadlineMs = 50;
const mostAnswerMs = inHost ? 600 : 10;
/** Of the good runs, too, which wait for the next thread within it. */
const wallMs = inHost ? 2000 : 400;
const leadMs = 30;
const everyMs = 4;
const giveUpMs = 10_000;
const pauseMs = 300;
const lastingMs = 10_500;
const flow = `
- route:
    id: stuck
    from:
      uri: webhook
      steps:
        - choice:
            when:
              - simple: "\${body} == 'stick'"
                steps:
                  - setBody: { simple: "\${random(9)}" }
            otherwise:
              steps:
                - setBody: { simple: "good \${body}" }
`;

/** Milliseconds. */
interface Recovery {
  /** From the run's deadline to the call that ends its thread; NaN: not of this kind. */
  readonly afterDeadline: number;
  /** From that call to the answer of a good run that was whole after it. */
  readonly toAnswer: number;
  /** Good calls that were not answered as they should be. */
  readonly failed: number;
  readonly asked: number;
  readonly culprit: number;
}

const probe = new URL("support/terminate-probe.ts", import.meta.url).href;
const faulty = new URL("../test/storms/support/hostile/faulty-threads.ts", import.meta.url).href;
const runtime = await startRuntime({ LIMIT_QUARANTINE_KILLS: "1000000" }, ".", [probe, faulty]);
const terminated: number[] = [];
runtime.onMessage((message) => void terminated.push((message as Terminated).at));
const client = new Pool(runtime.url, { connections: 256 });
const bars: Bar[] = [];
/** What good calls were answered in place of what they should be. */
const problems = new Set<string>();
try {
  const isolation = values.isolation === undefined ? {} : { isolation: values.isolation };
  await putFlow(runtime.url, "stuck", flow, { webhookWallMs: wallMs, scriptMs: 30_000, ...isolation });
  const count = inHost ? Math.ceil(kills / 2) : kills;
  for (let i = 0; i < 3; i++) await stickOnce();
  problems.clear();
  tell(inHost ? "its thread" : "thread", await repeated(count, stickOnce));
  if (inHost) tell("its host", await repeated(kills - count, killHost));
  if (!printBars("recovery", bars)) process.exitCode = 1;
} finally {
  await client.destroy();
  await runtime.stop();
}

async function repeated(times: number, one: () => Promise<Recovery>): Promise<readonly Recovery[]> {
  const seen: Recovery[] = [];
  for (let i = 0; i < times; i++) {
    await sleep(pauseMs);
    seen.push(await one());
  }
  return seen;
}

async function stickOnce(): Promise<Recovery> {
  await good();
  terminated.length = 0;
  const sentAt = clockMs();
  const culprit = post("stick");
  const dueAt = sentAt + wallMs;
  await sleep(wallMs - leadMs);
  const killed = (): number | undefined => (inHost ? dueAt : terminated.find((at) => at > sentAt));
  const { toAnswer, failed, asked } = await answersAround(killed);
  const { status, runId } = await culprit;
  const toldMs = (await durationOf(runId)) - wallMs;
  return { afterDeadline: inHost ? toldMs : (killed() as number) - dueAt, toAnswer, failed, asked, culprit: status };
}

async function killHost(): Promise<Recovery> {
  // It has lived long enough to be followed by another at once.
  await sleep(lastingMs);
  await good();
  const host = childrenOf(runtime.pid).at(-1);
  if (host === undefined) throw new Error("the runtime has no host process");
  let killedAt: number | undefined;
  const around = answersAround(() => killedAt);
  await sleep(leadMs);
  // Before the kill: what is answered after this time has been answered after the kill, or by a host that was not killed yet.
  killedAt = clockMs();
  process.kill(host, "SIGKILL");
  return { afterDeadline: Number.NaN, culprit: 0, ...(await around) };
}

/** Good calls, one every few milliseconds whatever became of those before, until one of those is answered that were sent after the kill or waited for it. */
async function answersAround(killed: () => number | undefined) {
  const until = clockMs() + giveUpMs;
  const pending: Promise<void>[] = [];
  let firstAt: number | undefined;
  let failed = 0;
  while (firstAt === undefined) {
    if (clockMs() > until) throw new Error(`no good answer after the end of a thread within ${giveUpMs} ms`);
    const one = good().then(
      () => {
        const now = clockMs();
        const at = killed();
        if (at !== undefined && now > at) firstAt ??= now;
      },
      (error: unknown) => {
        failed += 1;
        problems.add(
          String(error)
            .replaceAll(/[a-z0-9]+-[0-9a-f]{16}/g, "<run>")
            .slice(0, 200),
        );
      },
    );
    pending.push(one);
    await sleep(everyMs);
  }
  await Promise.all(pending);
  return { toAnswer: firstAt - (killed() as number), failed, asked: pending.length };
}

async function good(): Promise<void> {
  const { status, text } = await post("Ada");
  if (status !== 200 || text !== "good Ada") throw new Error(`${status} ${text}`);
}

async function post(body: string): Promise<{ status: number; text: string; runId: string }> {
  const headers = body === "stick" ? { "x-fault": "fault <endless loop>" } : {};
  const answer = await client.request({ path: "/api/stuck", method: "POST", body, headers });
  return { status: answer.statusCode, text: await answer.body.text(), runId: String(answer.headers["x-run-id"]) };
}

async function durationOf(runId: string): Promise<number> {
  const answer = await fetch(`${runtime.url}/_api/runs/${runId}`, { headers: { Authorization: `Bearer ${token}` } });
  const { durationMs } = (await answer.json()) as { readonly durationMs: number };
  return durationMs;
}

function tell(what: string, seen: readonly Recovery[]): void {
  const sum = (of: (one: Recovery) => number): number => seen.reduce((total, one) => total + of(one), 0);
  const rows = [
    { name: "deadline to the end of the thread", of: afterDeadline, most: mostDeadlineMs },
    { name: "from there to the next good answer", of: toAnswer, most: mostAnswerMs },
  ]
    .filter(({ of }) => !seen.some((one) => Number.isNaN(of(one))))
    .map((row) => ({ ...row, times: seen.map(row.of).sort((a, b) => a - b) }));
  console.log(`\n${what} lost ${seen.length} times`);
  table(
    ["", "median ms", "p95 ms", "most ms"],
    rows.map(({ name, times }) => [name, median(times), quantile(times, 0.95), times.at(-1) ?? Number.NaN]),
  );
  const failed = sum((one) => one.failed);
  console.log(`good calls around it: ${sum((one) => one.asked)}, not answered well: ${failed}`);
  for (const problem of [...problems].slice(0, 5)) console.log(`  ${problem}`);
  problems.clear();
  const statuses = [...new Set(seen.map(({ culprit }) => culprit))].filter((status) => status !== 0);
  if (statuses.length > 0) console.log(`the stuck runs' callers were answered ${statuses.join(", ")}`);
  for (const { name, most, times } of rows)
    bars.push({ what: `${what}: ${name}, p95`, measured: quantile(times, 0.95), most, unit: "ms" });
  report("recovery", {
    ...{ machine: machine(), what, times: seen.length, failed, statuses },
    ...Object.fromEntries(rows.map(({ name, times }) => [name, times.map((ms) => round(ms))])),
  });
}

function afterDeadline(one: Recovery): number {
  return one.afterDeadline;
}

function toAnswer(one: Recovery): number {
  return one.toAnswer;
}
