/** The load on a server: wrk where it is installed (it costs the server least), else autocannon. */
import { spawn, spawnSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import autocannon from "autocannon";

export interface LoadResult {
  readonly requests: number;
  readonly perSecond: number;
  /** Milliseconds. */
  readonly p50: number;
  readonly p99: number;
  readonly errors: number;
}

export const hasWrk = spawnSync("wrk", ["--version"]).error === undefined;

export async function load(url: string, connections: number, seconds: number, body: string): Promise<LoadResult> {
  return hasWrk ? loadByWrk(url, connections, seconds, body) : loadByAutocannon(url, connections, seconds, body);
}

async function loadByAutocannon(url: string, connections: number, duration: number, body: string): Promise<LoadResult> {
  const result = await autocannon({
    url,
    connections,
    duration,
    method: "POST",
    body,
    headers: { "Content-Type": "application/json" },
  });
  const { p50, p99 } = result.latency;
  return {
    requests: result.requests.total,
    perSecond: result.requests.average,
    p50,
    p99,
    errors: result.errors + result.non2xx,
  };
}

/** By autocannon, which can look at the answers: `unexpected` of them had another body. */
export async function loadExpecting(
  url: string,
  connections: number,
  duration: number,
  body: string,
  expectBody: string,
): Promise<{ readonly requests: number; readonly errors: number; readonly unexpected: number }> {
  const headers = { "Content-Type": "application/json" };
  const result = await autocannon({ url, connections, duration, method: "POST", body, headers, expectBody });
  return { requests: result.requests.total, errors: result.errors + result.non2xx, unexpected: result.mismatches };
}

async function loadByWrk(url: string, connections: number, seconds: number, body: string): Promise<LoadResult> {
  const script = join(tmpdir(), "bulkhead-bench.lua");
  writeFileSync(
    script,
    `wrk.method = "POST"\nwrk.headers["Content-Type"] = "application/json"\nwrk.body = ${JSON.stringify(body)}\n`,
  );
  const text = await output("wrk", ["-t1", `-c${connections}`, `-d${seconds}s`, "--latency", "-s", script, url]);
  const number = (pattern: RegExp): number => Number(pattern.exec(text)?.[1] ?? 0);
  const bad = number(/Non-2xx or 3xx responses: (\d+)/);
  const socket = /Socket errors: connect (\d+), read (\d+), write (\d+), timeout (\d+)/.exec(text);
  return {
    requests: number(/(\d+) requests in/),
    perSecond: number(/Requests\/sec:\s+([\d.]+)/),
    p50: milliseconds(/^ +50% +(\S+)/m.exec(text)?.[1]),
    p99: milliseconds(/^ +99% +(\S+)/m.exec(text)?.[1]),
    errors: bad + (socket ?? []).slice(1).reduce((sum, count) => sum + Number(count), 0),
  };
}

function milliseconds(text = "0ms"): number {
  const value = Number.parseFloat(text);
  return text.endsWith("us") ? value / 1000 : text.endsWith("ms") ? value : value * 1000;
}

function output(command: string, args: readonly string[]): Promise<string> {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, { stdio: ["ignore", "pipe", "inherit"] });
    let text = "";
    child.stdout.on("data", (chunk: Buffer) => {
      text += chunk.toString();
    });
    child.once("error", reject);
    child.once("close", () => resolve(text));
  });
}

/** Requests at a fixed rate over keep-alive connections; latencies from the moment a request was due (open loop). */
export async function loadAtRate(
  url: string,
  perSecond: number,
  seconds: number,
  body: string,
): Promise<readonly number[]> {
  const { Pool } = await import("undici");
  const { origin, pathname } = new URL(url);
  const pool = new Pool(origin, { connections: 32, pipelining: 1 });
  const latencies: number[] = [];
  const pending = new Set<Promise<void>>();
  const began = performance.now();
  for (let sent = 0; sent < perSecond * seconds; ) {
    const due = Math.min(perSecond * seconds, Math.floor(((performance.now() - began) / 1000) * perSecond));
    for (; sent < due; sent++) {
      const dueAt = began + (sent / perSecond) * 1000;
      const one = pool
        .request({ path: pathname, method: "POST", body, headers: { "content-type": "application/json" } })
        .then(async (response) => {
          await response.body.dump();
          latencies.push(performance.now() - dueAt);
        });
      pending.add(one);
      void one.finally(() => pending.delete(one));
    }
    await new Promise((resolve) => setTimeout(resolve, 1));
  }
  await Promise.all(pending);
  await pool.close();
  return latencies.sort((a, b) => a - b);
}
