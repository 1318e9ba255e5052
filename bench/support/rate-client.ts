/**
 * A client in a process of its own, so that what it measures is not late by the bench's own work: streams of requests at fixed rates
 * (open loop), each latency from the moment that its request was due. One message tells what to send, one answers what came of it.
 */
import { Pool } from "undici";

export interface Stream {
  readonly name: string;
  readonly url: string;
  readonly method: "GET" | "POST";
  readonly perSecond: number;
  readonly body?: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** The body of a good answer; absent: any that has status 200. */
  readonly expect?: string;
}

export interface Trial {
  readonly seconds: number;
  /** A request that has no whole answer this long after it was due has failed, and counts with this latency. */
  readonly giveUpMs: number;
  readonly streams: readonly Stream[];
}

export interface StreamResult {
  readonly name: string;
  /** Milliseconds, sorted; of failed requests too. */
  readonly latencies: number[];
  readonly failed: number;
  /** Of what failed, the first few. */
  readonly examples: string[];
}

const connections = 64;

process.on("message", (trial: Trial) => {
  void Promise.all(trial.streams.map((stream) => follow(stream, trial))).then((results) => process.send?.(results));
});

async function follow(stream: Stream, { seconds, giveUpMs }: Trial): Promise<StreamResult> {
  const pool = new Pool(new URL(stream.url).origin, { connections, pipelining: 1 });
  const result: StreamResult = { name: stream.name, latencies: [], failed: 0, examples: [] };
  const total = Math.round(stream.perSecond * seconds);
  const pending: Promise<void>[] = [];
  let failed = 0;
  const began = performance.now();
  for (let sent = 0; sent < total; sent++) {
    const dueAt = began + (sent / stream.perSecond) * 1000;
    for (let waitMs = dueAt - performance.now(); waitMs > 0; waitMs = dueAt - performance.now()) {
      await new Promise((resolve) => setTimeout(resolve, waitMs));
    }
    const one = send(pool, stream, dueAt + giveUpMs).then((problem) => {
      if (problem === undefined) result.latencies.push(performance.now() - dueAt);
      else {
        failed += 1;
        result.latencies.push(giveUpMs);
        if (result.examples.length < 3) result.examples.push(problem);
      }
    });
    pending.push(one);
  }
  await Promise.all(pending);
  await pool.destroy();
  result.latencies.sort((a, b) => a - b);
  return { ...result, failed };
}

/** Resolves with what was wrong, undefined: nothing. */
async function send(pool: Pool, stream: Stream, until: number): Promise<string | undefined> {
  const { pathname, search } = new URL(stream.url);
  const { method, body = null, headers = {}, expect } = stream;
  try {
    const signal = AbortSignal.timeout(Math.max(1, Math.round(until - performance.now())));
    const answer = await pool.request({ path: pathname + search, method, body, headers, signal });
    const text = await answer.body.text();
    if (answer.statusCode !== 200) return `status ${answer.statusCode} ${text.slice(0, 100)}`;
    return expect === undefined || text === expect ? undefined : `answered ${text.slice(0, 100)}`;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}
