/** A process of its own that calls the neighbours and the control plane at fixed rates, each call in its time, late or not. */
import { Agent, request } from "node:http";
import { every, monotonicMs } from "../../../support/clock.ts";
import type { Probed, ProbeReport, ProberOrder } from "./prober.ts";

const agent = new Agent({ keepAlive: true, maxSockets: 256 });
const giveUpMs = 20_000;

interface Probe {
  readonly everyMs: number;
  readonly method: string;
  readonly path: string;
  readonly body?: string;
  /** Part of a good answer. */
  readonly expects: string;
}

/** 50 calls a second of the flows, and what an operator's tools would ask. */
const probes = (echoDocument: string): Readonly<Record<Probed, Probe>> => ({
  echo: { everyMs: 40, method: "POST", path: "/api/echo", body: "a message", expects: "a message" },
  chain: { everyMs: 40, method: "POST", path: "/api/chain", body: "a message", expects: "a message, passed on" },
  health: { everyMs: 100, method: "GET", path: "/_api/health", expects: "status" },
  put: { everyMs: 100, method: "PUT", path: "/_api/flows/near.echo", body: echoDocument, expects: "near.echo" },
  runs: { everyMs: 100, method: "GET", path: "/_api/runs?routeId=echo&limit=20", expects: "echo" },
});

let samples: Record<Probed, number[]>;
let failures: { readonly probe: Probed; readonly what: string }[];
const timers: (() => void)[] = [];
const underWay = new Set<Promise<void>>();

process.on("message", (order: ProberOrder) => void take(order));

async function take(order: ProberOrder): Promise<void> {
  if (order.do === "begin") begin(order);
  else {
    for (const stop of timers.splice(0)) stop();
    await Promise.all(underWay);
    process.send?.(report());
  }
}

function begin({ url, token, echoDocument }: Extract<ProberOrder, { do: "begin" }>): void {
  samples = { echo: [], chain: [], health: [], put: [], runs: [] };
  failures = [];
  for (const [name, probe] of Object.entries(probes(echoDocument)) as [Probed, Probe][]) {
    const send = (): void => {
      const call = ask(url, token, name, probe).finally(() => underWay.delete(call));
      underWay.add(call);
    };
    timers.push(every(probe.everyMs, send));
  }
}

function ask(url: string, token: string, name: Probed, probe: Probe, began = monotonicMs()): Promise<void> {
  return new Promise((resolve) => {
    const done = (problem: string | undefined): void => {
      samples[name].push(monotonicMs() - began);
      if (problem !== undefined) failures.push({ probe: name, what: problem });
      resolve();
    };
    const { method, path, body, expects } = probe;
    const headers = {
      ...(path.startsWith("/_api") && { Authorization: `Bearer ${token}` }),
      ...(body !== undefined && { "Content-Length": Buffer.byteLength(body) }),
      ...(body !== undefined && { "Content-Type": body.startsWith("{") ? "application/json" : "text/plain" }),
    };
    const call = request(new URL(path, url), { agent, method, headers, timeout: giveUpMs }, (answer) => {
      let text = "";
      answer.setEncoding("utf8");
      answer.on("data", (chunk: string) => {
        text += chunk;
      });
      answer.on("error", (error) => done(error.message));
      answer.on("end", () => {
        const good = (answer.statusCode ?? 0) < 300 && text.includes(expects);
        done(good ? undefined : `${answer.statusCode} ${text.slice(0, 100)}`);
      });
    });
    call.on("timeout", () => call.destroy(new Error(`no answer within ${giveUpMs} ms`)));
    call.on("error", (error: NodeJS.ErrnoException) => {
      // An idle connection that was closed as it was taken again: clients try once more, and the time counts.
      if (call.reusedSocket && error.code === "ECONNRESET") resolve(ask(url, token, name, probe, began));
      else done(error.message);
    });
    call.end(body);
  });
}

function report(): ProbeReport {
  const figures = Object.fromEntries(
    Object.entries(samples).map(([name, times]) => {
      const sorted = times.sort((a, b) => a - b);
      return [
        name,
        { count: sorted.length, p99: sorted[Math.floor(sorted.length * 0.99)] ?? 0, most: sorted.at(-1) ?? 0 },
      ];
    }),
  );
  return { figures: figures as ProbeReport["figures"], failed: failures.length, examples: failures.slice(0, 5) };
}
