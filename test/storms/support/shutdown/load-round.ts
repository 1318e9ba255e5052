/** SIGTERM under keep-alive load: what was accepted is answered, readers of streams get their end, clocks stop first. */
import { monotonicMs, pause } from "../../../support/clock.ts";
import { webhook } from "../../../support/flows.ts";
import type { Round } from "../../shutdown.storm.ts";
import { Caller } from "../caller.ts";
import { clockFlow } from "../clock.ts";
import { type Server, startServer, token } from "../server.ts";
import { ending, graceMs } from "./ending.ts";

const connections = 24;
const periodMs = 20;

export async function loadRound(round: number): Promise<Round> {
  const server = await startServer({ keepLines: true, env: { LIMIT_SHUTDOWN_MS: String(graceMs) } });
  try {
    const steps = [
      'log: "began ${body}"',
      `delay: { constant: ${20 + (round % 4) * 60} }`,
      'setBody: { simple: "did ${body}" }',
    ];
    await server.put("main", webhook("main", ...steps));
    await server.put("clock", clockFlow(periodMs, 0));
    const readers = Promise.all(["/trace/stream", "/logs/stream"].map((path) => endOf(server, path)));
    const calls = Promise.all(Array.from({ length: connections }, (_, nth) => callOn(server.port, nth)));
    await pause(300 + (round % 5) * 37);
    const since = monotonicMs();
    server.child.kill("SIGTERM");
    const [ended, told, streams] = await Promise.all([ending(server, since), calls, readers]);
    const begun = new Set(server.lines.flatMap((line) => /"began (\d+-\d+)"/.exec(line)?.[1] ?? []));
    const broken = told.flatMap((one) => one.broken);
    const lost = broken.filter(({ id }) => begun.has(id));
    const cut = broken.filter(({ received }) => received > 0);
    const sum = (of: (one: CallsOfOne) => number): number => told.reduce((total, one) => total + of(one), 0);
    return {
      figures: {
        answered: sum(({ answered }) => answered),
        "accepted and not answered": lost.length,
        "answers cut": cut.length,
        "sent into a connection that was closed meanwhile": broken.length,
        "answers with Connection: close": sum(({ close }) => close),
        "most ms to the end": ended.ms,
      },
      wrong: [
        ...ended.wrong,
        ...lost.map(({ id }) => `call ${id} began and was not answered`),
        ...cut.map(({ id, received }) => `the answer of call ${id} was cut after ${received} bytes`),
        ...told.flatMap(({ wrong }) => wrong),
        ...streams.flatMap((wrong) => wrong ?? []),
        ...ticksAfter(server.lines),
      ],
    };
  } finally {
    await server.remove();
  }
}

interface CallsOfOne {
  answered: number;
  close: number;
  readonly broken: { readonly id: string; readonly received: number }[];
  readonly wrong: string[];
}

/** Calls until the server is gone. */
async function callOn(port: number, nth: number): Promise<CallsOfOne> {
  const caller = new Caller(port);
  const seen: CallsOfOne = { answered: 0, close: 0, broken: [], wrong: [] };
  for (let call = 0; ; call++) {
    const id = `${nth}-${call}`;
    const told = await caller.post("/api/main", id);
    if (told.kind === "refused") return seen;
    if (told.kind === "broken") {
      // The kernel may accept one more connection between the first reset and the end of the port.
      seen.broken.push({ id, received: told.received });
      continue;
    }
    seen.answered += 1;
    if (told.headers.get("connection") === "close") seen.close += 1;
    if (told.status !== 200 || told.body !== `did ${id}`) {
      seen.wrong.push(`call ${id} was answered ${told.status} ${told.body}`);
    }
  }
}

/** Reads a stream to its end; what is wrong with it. */
async function endOf({ url }: Server, path: string): Promise<string | undefined> {
  try {
    const answer = await fetch(`${url}/_api${path}`, { headers: { Authorization: `Bearer ${token}` } });
    const text = await answer.text();
    return /\nevent: end\n[\s\S]*\n\n$/.test(text) ? undefined : `${path} ended without its end: ${text.slice(-200)}`;
  } catch (error) {
    return `${path} was cut: ${String(error)}`;
  }
}

/** Clocks stop before anything else: what ticks on is a run that was under way. */
function ticksAfter(lines: readonly string[]): readonly string[] {
  const from = lines.findIndex((line) => line.includes('"shutting down'));
  if (from < 0) return ["the log does not tell of the shutdown"];
  const underWay = Number(/"shutting down: (\d+) runs/.exec(lines[from] ?? "")?.[1]);
  const late = lines.slice(from).filter((line) => line.includes('"tick ')).length;
  return late > underWay ? [`${late} ticks after the shutdown began, with ${underWay} runs under way`] : [];
}
