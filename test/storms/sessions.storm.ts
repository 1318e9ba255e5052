/**
 * Test sessions under load: random ones, of a run's or of the deployment's scope, are opened, used and closed, or expire, while
 * their flow is replaced and its threads are killed. What every caller was answered is held against what the sessions tell.
 * `npm run storm -- sessions [sessions] [seed]`
 */
import { after, hanging, monotonicMs, pause } from "../support/clock.ts";
import { Caller } from "./support/caller.ts";
import { dice } from "./support/dice.ts";
import { flowId, flowLimits, kinds, mockedFlow } from "./support/mocked-flow.ts";
import { residentOf } from "./support/proc.ts";
import { randomSession } from "./support/random-session.ts";
import { startServer, token } from "./support/server.ts";
import { type Report, SessionLedger, type Watched } from "./support/session-ledger.ts";
import { table, verdict } from "./support/table.ts";

const sessions = Number(process.argv[2] ?? 400);
const seed = Number(process.argv[3] ?? Math.floor(Math.random() * 2 ** 31));
const atOnce = 6;
const liveCallers = 4;
const hangsMs = 60_000;
const mostGrowthMiB = 96;
/** A timer of the server may come so late on a machine that has much to do. */
const lateMs = 2000;

console.log(`seed ${seed}`);
const roll = dice(seed);
const server = await startServer({
  env: { LIMIT_CANCEL_GRACE_MS: "100", LIMIT_QUARANTINE_KILLS: "1000000", LIMIT_TEST_SESSION_KEPT_MS: "5000" },
});
const ledger = new SessionLedger();
const open = new Set<Watched>();
const residents: number[] = [];
const counts = { opened: 0, refused: 0, expired: 0, stale: 0, redeploys: 0, kills: 0 };
let next = 0;
let over = false;
let version = 0;

try {
  await redeploy();
  const background = [...Array.from({ length: liveCallers }, () => call(undefined, () => over)), redeploys(), kills()];
  await Promise.all(Array.from({ length: atOnce }, lane));
  over = true;
  await Promise.all(background);
  await pause(lateMs);
  await tell();
} finally {
  await server.remove();
}

async function lane(): Promise<void> {
  while (next < sessions && ledger.violations.length < 20) {
    const number = next++;
    await live(randomSession(number, dice(seed + number)));
    residents.push(residentOf(server.pid) / 2 ** 20);
  }
}

/** One session from its opening to its report. */
async function live(plan: ReturnType<typeof randomSession>): Promise<void> {
  const session = ledger.open(plan);
  const answer = await api("/test/session", "POST", plan.document);
  if (answer.status !== 201) {
    const { code = "" } = answer.json as { code?: string };
    counts.refused += 1;
    if (answer.status !== 409 || plan.scope !== "deployment")
      ledger.violations.push(
        `session ${plan.number} was refused: ${answer.status} ${code} ${JSON.stringify(answer.json)}`,
      );
    return;
  }
  counts.opened += 1;
  session.sessionId = (answer.json as { sessionId: string }).sessionId;
  open.add(session);
  if (plan.ttlMs !== undefined) ledger.end(session, "expired", monotonicMs() + plan.ttlMs + lateMs);
  let ended = false;
  const callers = Promise.all(Array.from({ length: plan.callers }, () => call(session, () => ended)));
  await pause(plan.ttlMs === undefined ? plan.lifeMs : plan.ttlMs + plan.lifeMs);
  ended = plan.quiet;
  if (ended) await callers;
  session.mayEnd = 0;
  const closed = await api(`/test/session/${session.sessionId}?waitMs=20000`, "DELETE");
  ledger.end(session, "closed");
  ended = true;
  await callers;
  await ledger.settled();
  open.delete(session);
  if (closed.status !== 200) {
    ledger.violations.push(`DELETE of session ${plan.number}: ${closed.status} ${JSON.stringify(closed.json)}`);
    return;
  }
  const report = closed.json as Report;
  if (report.expired) counts.expired += 1;
  if (report.stale) counts.stale += 1;
  ledger.judge(session, report);
}

/** One call after the other on a connection of its own. */
async function call(session: Watched | undefined, isOver: () => boolean): Promise<void> {
  const caller = new Caller(server.port);
  while (!isOver()) {
    const kind = kinds[roll(2)] as (typeof kinds)[number];
    const headers = { "X-Kind": kind, ...(session && { "X-Test-Session": session.sessionId }) };
    const sent = monotonicMs();
    const told = within(caller.post("/api/orders", "x", headers)).then((answer) =>
      answer.kind === "answer"
        ? { status: answer.status, code: answer.headers.get("x-error-code") ?? "", body: answer.body }
        : undefined,
    );
    await ledger.follow({ sent, kind, session }, told);
    await pause(roll(10));
  }
  caller.close();
}

async function redeploys(): Promise<void> {
  while (!over) {
    await pause(500 + roll(2500));
    await redeploy();
  }
}

async function redeploy(): Promise<void> {
  const before = [...open];
  version += 1;
  ledger.replacing();
  await server.put(flowId, mockedFlow(version), flowLimits);
  ledger.replaced(version);
  counts.redeploys += 1;
  for (const session of before) ledger.end(session, "stale");
}

/** A run that keeps its thread busy, until the thread is killed with all that run in it. */
async function kills(): Promise<void> {
  const caller = new Caller(server.port);
  while (!over) {
    await pause(1000 + roll(4000));
    const told = await within(caller.post("/api/spin", "x"));
    if (told.kind === "answer" && told.status >= 500) counts.kills += 1;
  }
  caller.close();
}

async function api(path: string, method: string, body?: unknown): Promise<{ status: number; json: unknown }> {
  const answer = await fetch(`${server.url}/_api${path}`, {
    method,
    headers: { Authorization: `Bearer ${token}`, "Content-Type": "application/json" },
    ...(body !== undefined && { body: JSON.stringify(body) }),
    signal: hanging(hangsMs),
  });
  return { status: answer.status, json: await answer.json() };
}

function within<T>(work: Promise<T>): Promise<T> {
  const { promise, reject } = Promise.withResolvers<T>();
  const stop = after(hangsMs, () => reject(new Error(`a call hangs for ${hangsMs} ms`)));
  return Promise.race([work, promise]).finally(stop);
}

async function tell(): Promise<void> {
  const metrics = await (await server.api("/metrics")).text();
  const left = Number(/^bulkhead_test_sessions_open (\d+)/m.exec(metrics)?.[1]);
  const fifth = Math.floor(residents.length / 5);
  const middle = residents.slice(fifth * 2, fifth * 3);
  const growth = median(residents.slice(-fifth)) - median(middle);
  table(
    ["what", "seen", "bar"],
    [
      ["sessions opened", counts.opened, ""],
      ["refused for a conflict", counts.refused, ""],
      ["expired / stale at their end", `${counts.expired} / ${counts.stale}`, ""],
      ["counts held exactly / within what was lost", `${ledger.counts.exact} / ${ledger.counts.bounded}`, ""],
      ["redeploys / threads killed", `${counts.redeploys} / ${counts.kills}`, ""],
      ["live calls / calls in sessions", `${ledger.counts.live} / ${ledger.counts.carried}`, ""],
      ["steps that mocks answered", ledger.counts.mocked, ""],
      ["calls refused, their session being over", ledger.counts.refused, ""],
      ["calls lost with their thread", ledger.counts.lost, ""],
      ["what must not be", ledger.violations.length, 0],
      ["sessions open at the end", left, 0],
      ["resident memory, last fifth over the middle one (MiB)", growth, mostGrowthMiB],
    ],
  );
  for (const violation of ledger.violations.slice(0, 20)) console.log(`  ${violation}`);
  const met = ledger.violations.length === 0 && left === 0 && growth < mostGrowthMiB && counts.opened > 0;
  verdict(met, `${counts.opened} test sessions under load, seed ${seed}`);
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[values.length >> 1] ?? 0;
}
