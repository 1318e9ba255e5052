/** Callers that leave in the middle of everything; `npm run storm -- aborts` does it ten thousand times. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { abortCalls, abortedFlow, underWay } from "../storms/support/aborting-calls.ts";
import { eventually } from "../support/clock.ts";
import { startTestApp } from "../support/start-app.ts";

test("calls that are broken off at any moment leave nothing behind", async (t) => {
  const app = await startTestApp(t);
  // Few places, so that some runs wait for a thread when their callers leave.
  await app.put("f", abortedFlow, { limits: { runsPerThread: 8 } });
  let turn = 0;
  const counts = await abortCalls({
    port: Number(new URL(app.url).port),
    calls: 200,
    connections: 30,
    random: () => (turn++ % 10) / 10,
  });
  assert.deepEqual(counts, { sending: 50, waiting: 50, keyed: 50, reading: 50 });
  await eventually(
    async () => {
      const gauges = underWay(await (await app.api("/metrics")).text());
      return Object.values(gauges).every((value) => value === 0);
    },
    "nothing is under way",
    60_000,
  );
  assert.deepEqual(await (await app.api("/runs?status=running")).json(), []);
  const keyed = (await (await app.api("/runs?routeId=keyed&limit=500")).json()) as { outcome: string }[];
  assert.ok(keyed.every(({ outcome }) => outcome === "ok" || outcome === "queue_full"));
  assert.equal(await (await app.post("/api/well", "x")).text(), "ok");
});
