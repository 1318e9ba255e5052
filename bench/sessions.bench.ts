/**
 * What a test session costs the traffic that is not its own. A flow under load: no session; one whose scope is session,
 * without and with requests of its own; and, for information, sessions of the whole deployment that answer or look on.
 * The variants take turns second by second, so that what the machine does beside them meets all of them alike; CPU is the
 * process's own, user and system, per request. The figure is the median of the rounds' ratios to no session.
 * `npm run bench -- sessions [rounds] [seconds]`
 *
 * `--against DIR`: no session is open; this tree takes turns with another checkout (with its modules and its bundle).
 */
import { resolve } from "node:path";
import { parseArgs } from "node:util";
import { mustBeBundled } from "./support/code.ts";
import { machine, median, report, round } from "./support/figures.ts";
import { loadExpecting } from "./support/load.ts";
import { cpuMsOf, putFlow, type ServerProcess, startRuntime } from "./support/server-process.ts";
import { closeSession, OwnRequests, openSession, type Session } from "./support/test-session.ts";

const { values, positionals } = parseArgs({ allowPositionals: true, options: { against: { type: "string" } } });
const [rounds = 5, seconds = 4] = positionals.map(Number);
const connections = 32;
const leastRequests = 50_000;
const mostRatio = 1.03;
const body = JSON.stringify({ orderNo: "17", customer: { name: "Ada", city: "London" } });
const flow = `
- route:
    id: orders
    from:
      uri: webhook
      steps:
        - setVariable: { name: no, simple: "\${body[orderNo]}" }
        - setHeader: { name: X-No, simple: "\${variable.no}" }
        - to: { id: to-crm, uri: "direct:crm" }
        - log: "order \${variable.no}"
- route:
    id: crm
    from:
      uri: direct:crm
      steps:
        - setBody: { constant: "real" }
`;

type Name = "none" | "quiet" | "busy" | "answering" | "spying";

interface Variant {
  readonly session?: { readonly scope: string; readonly mock: Readonly<Record<string, unknown>> };
  /** What the load has to be answered. */
  readonly answer: "real" | "mock";
  /** Requests of the session itself, beside the load. */
  readonly own?: boolean;
}

const mock = { stepId: "to-crm", respond: { body: "mock" } };
const variants: Readonly<Record<Name, Variant>> = {
  none: { answer: "real" },
  quiet: { session: { scope: "session", mock }, answer: "real" },
  busy: { session: { scope: "session", mock }, answer: "real", own: true },
  answering: { session: { scope: "deployment", mock }, answer: "mock" },
  spying: { session: { scope: "deployment", mock: { stepId: "to-crm", spy: true } }, answer: "real" },
};
const names = Object.keys(variants) as Name[];
const judged: readonly Name[] = ["none", "quiet", "busy"];
const told: readonly Name[] = ["answering", "spying"];
/** By variant, one figure for each round. */
const cpuMicros = Object.fromEntries(names.map((name) => [name, [] as number[]])) as Record<Name, number[]>;
const counts = { liveWithSession: 0, liveMocked: 0, own: 0, ownNotMocked: 0, miscounted: 0, failed: 0 };

await (values.against === undefined ? withSessions() : against(resolve(values.against)));

async function withSessions(): Promise<void> {
  const runtime = await started();
  for (let i = 0; i < rounds; i++) await measureRound(runtime, judged);
  // After those that are judged: what these leave in memory must not be theirs to clear away.
  for (let i = 0; i < Math.ceil(rounds / 2); i++) await measureRound(runtime, told);
  await runtime.stop();
  const of = (name: Name): number => median(cpuMicros[name]);
  const each = (name: Name): number[] => cpuMicros[name].map((micros, i) => micros / (cpuMicros.none[i] as number));
  const ratio = (name: Name): number => round(judged.includes(name) ? median(each(name)) : of(name) / of("none"), 3);
  const met =
    counts.liveWithSession >= leastRequests &&
    counts.liveMocked + counts.ownNotMocked + counts.miscounted + counts.failed === 0 &&
    Math.max(ratio("quiet"), ratio("busy")) <= mostRatio;
  report("sessions", {
    machine: machine(),
    connections,
    rounds,
    seconds,
    ...counts,
    cpuMicrosPerRequest: Object.fromEntries(names.map((name) => [name, round(of(name), 1)])),
    ratios: Object.fromEntries(names.slice(1).map((name) => [name, ratio(name)])),
    pairs: Object.fromEntries(judged.slice(1).map((name) => [name, each(name).map((one) => round(one, 3))])),
    verdict: met ? "passed" : "missed",
    bar: `quiet and busy at most ${mostRatio}; ${leastRequests} live requests with a session, none mocked, counts exact`,
  });
  process.exitCode = met ? 0 : 1;
}

/** Each variant has `seconds` of a second each, in an order that turns. */
async function measureRound(runtime: ServerProcess, variants: readonly Name[]): Promise<void> {
  const sums = variants.map((name) => ({ name, cpuMs: 0, requests: 0 }));
  for (let i = 0; i < seconds; i++) {
    for (const n of sums.keys()) {
      const sum = sums[(n + i) % sums.length] as (typeof sums)[number];
      const { cpuMs, requests } = await measure(runtime, sum.name);
      sum.cpuMs += cpuMs;
      sum.requests += requests;
    }
  }
  for (const { name, cpuMs, requests } of sums) cpuMicros[name].push((cpuMs * 1000) / requests);
}

async function measure(runtime: ServerProcess, name: Name): Promise<{ cpuMs: number; requests: number }> {
  const { session, answer, own } = variants[name];
  const opened = session && (await openSession(runtime.url, session.scope, session.mock));
  const asking = own && opened ? new OwnRequests(runtime.url, opened, body) : undefined;
  const { cpuMs, requests, unexpected, errors } = await cpuOf(runtime, answer, 1);
  counts.failed += errors;
  if (answer === "real") counts.liveMocked += unexpected;
  else counts.failed += unexpected;
  if (session?.scope === "session") counts.liveWithSession += requests;
  const asked = (await asking?.stop()) ?? { sent: 0, unexpected: 0 };
  counts.own += asked.sent;
  counts.ownNotMocked += asked.unexpected;
  if (opened) await check(runtime.url, opened, session?.scope === "session" ? asked.sent : undefined);
  return { cpuMs, requests };
}

/** `calls` undefined: the load's own requests are counted, of which autocannon drops the last. */
async function check(url: string, session: Session, calls: number | undefined): Promise<void> {
  const counted = (await closeSession(url, session)).callCounts["to-crm"];
  if (calls !== undefined && counted !== calls) counts.miscounted += 1;
}

async function against(other: string): Promise<void> {
  const trees = [resolve("."), other];
  for (const tree of trees) await mustBeBundled(tree);
  const [here, there] = (await Promise.all(trees.map(started))) as [ServerProcess, ServerProcess];
  const micros = { here: [] as number[], there: [] as number[] };
  for (let i = 0; i < rounds * 2; i++) {
    const isHere = i % 4 === 0 || i % 4 === 3;
    const { cpuMs, requests, errors, unexpected } = await cpuOf(isHere ? here : there, "real", seconds);
    if (errors + unexpected > 0) throw new Error(`${errors + unexpected} requests failed`);
    micros[isHere ? "here" : "there"].push((cpuMs * 1000) / requests);
  }
  await Promise.all([here.stop(), there.stop()]);
  const ratios = micros.here.map((value, i) => round(value / (micros.there[i] as number), 3));
  const ratio = median(ratios);
  report("sessions.against", {
    machine: machine(),
    other,
    rounds,
    seconds,
    cpuMicrosPerRequest: { here: round(median(micros.here), 1), there: round(median(micros.there), 1) },
    ratios,
    ratio,
    verdict: ratio <= mostRatio ? "passed" : "missed",
    bar: `at most ${mostRatio}`,
  });
  process.exitCode = ratio <= mostRatio ? 0 : 1;
}

async function started(tree?: string): Promise<ServerProcess> {
  const runtime = await startRuntime({}, tree);
  await putFlow(runtime.url, "orders", flow);
  for (let i = 0; i < 2; i++) await cpuOf(runtime, "real", seconds);
  return runtime;
}

async function cpuOf(runtime: ServerProcess, answer: string, forSeconds: number) {
  const before = cpuMsOf(runtime.pid);
  const result = await loadExpecting(`${runtime.url}/api/orders`, connections, forSeconds, body, answer);
  return { ...result, cpuMs: cpuMsOf(runtime.pid) - before };
}
