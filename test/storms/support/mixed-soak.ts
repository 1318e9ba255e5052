/** Everything at once for a while: calls, clocks, a reader of each stream, a replacement every five seconds; the heap stays where it is. */
import { monotonicMs, pause } from "../../support/clock.ts";
import { webhook } from "../../support/flows.ts";
import { clockFlow } from "./clock.ts";
import { Expected } from "./expected.ts";
import { startProbed } from "./probed-server.ts";
import type { Server } from "./server.ts";
import { lineThrough, type Point } from "./slope.ts";
import { steadyLoad } from "./steady-load.ts";
import { table, verdict } from "./table.ts";

const runsKept = 200;
const everyMs = 5000;
const perSecond = 100;
/** Of heap a minute, in KiB: as far as the measurement can tell, it grows by no more. */
const mostKiB = 50;
/** The first fifth fills rings and compiles code. */
const measuredShare = 0.8;

export async function mixedSoak(seconds: number): Promise<void> {
  const { server, holdings } = await startProbed({
    LIMIT_STREAM_RING: "64",
    LIMIT_RUNS_TOTAL: String(runsKept),
  });
  try {
    await server.put("main", version(0));
    await server.put("clock", clockFlow(100, 0));
    const readers = ["/trace/stream", "/logs/stream"].map((path) => read(server, path));
    const expected = new Expected("200 v0");
    const load = steadyLoad({ port: server.port, path: "/api/main", connections: 16, perSecond, expected });
    const heap: Point[] = [];
    const resident: Point[] = [];
    const began = monotonicMs();
    for (let n = 1; monotonicMs() - began < seconds * 1000; n++) {
      await pause(Math.max(0, began + n * everyMs - monotonicMs()));
      expected.mayBecome(`200 v${n}`);
      await server.put("main", version(n));
      expected.become(`200 v${n}`);
      const held = await holdings();
      const x = (monotonicMs() - began) / 60_000;
      heap.push({ x, y: held.heap });
      resident.push({ x, y: held.resident });
      console.log(
        `${(x * 60).toFixed(0)} s: heap ${(held.heap / 1e6).toFixed(2)} MB, resident ${(held.resident / 1e6).toFixed(1)} MB`,
      );
    }
    const runs = (await (await server.api("/runs?limit=500")).json()) as unknown[];
    const { answered, broken, unexpected } = await load.stop();
    const events = await Promise.all(readers.map((reader) => reader.stop()));
    const slopeOf = (points: readonly Point[]) =>
      lineThrough(points.slice(Math.floor(points.length * (1 - measuredShare))));
    const { slope, margin } = slopeOf(heap);
    table(
      ["", "seen", "bar"],
      [
        ["calls answered", answered, ""],
        ["calls failed or mixed", broken + unexpected, 0],
        ["bytes of the trace and the log stream", events.join(", "), "> 0"],
        ["run records kept", runs.length, runsKept],
        [
          "heap a minute (KiB)",
          `${(slope / 1024).toFixed(1)} +-${(margin / 1024).toFixed(1)}`,
          `${mostKiB} within the margin`,
        ],
        ["resident a minute (KiB)", (slopeOf(resident).slope / 1024).toFixed(0), ""],
      ],
    );
    const steady = slope - margin <= mostKiB * 1024;
    const sound = broken + unexpected === 0 && runs.length === runsKept && events.every((bytes) => bytes > 0);
    verdict(steady && sound, `${seconds} s of load, clocks, readers and replacements`);
  } finally {
    await server.remove();
  }
}

function version(n: number): string {
  return webhook("main", 'log: "got ${body}"', "delay: { constant: 20 }", `setBody: { constant: "v${n}" }`);
}

/** Reads a stream and throws it away; `stop` tells how many bytes it was. */
function read(server: Server, path: string): { stop(): Promise<number> } {
  const leave = new AbortController();
  let bytes = 0;
  const done = server.api(path, { signal: leave.signal }).then(async ({ body }) => {
    for await (const chunk of body ?? []) bytes += (chunk as Uint8Array).length;
  });
  return {
    async stop() {
      leave.abort();
      await done.catch(() => undefined);
      return bytes;
    },
  };
}
