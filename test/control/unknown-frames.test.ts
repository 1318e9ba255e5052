/** A frame that the protocol does not have ends the thread on both sides, by an error that names it: it is never taken for another frame. */
import assert from "node:assert/strict";
import { test } from "node:test";
import type { BootedThread } from "../../src/control/threads/booted-thread.ts";
import type { Kill } from "../../src/control/threads/kill.ts";
import { type FrameToThread, ToThread } from "../../src/shared/frames-to-thread.ts";
import { Outbox } from "../../src/shared/outbox.ts";
import { anInvocation, deployFlow, makePools } from "../support/flow-pools.ts";
import { answering, webhook } from "../support/flows.ts";
import { modelOf } from "../support/run-route.ts";
import { startTestApp } from "../support/start-app.ts";

const hostile = new URL("../support/hostile-worker.ts", import.meta.url);

const unknown: Readonly<Record<string, readonly [frames: readonly unknown[], named: string]>> = {
  "an unknown frame": [[99], "the protocol has no frame 99"],
  "a number that is no frame": [[0.5], "the protocol has no frame 0.5"],
  "a frame that is named by a text": [["4"], "the protocol has no frame that is named by a string"],
  "a cancel frame with a field more than it has": [
    [ToThread.cancel, 40, "why", 4096],
    "the protocol has no frame 4096",
  ],
};

for (const [what, [frames, named]] of Object.entries(unknown)) {
  test(`a thread that is sent ${what} ends with its runs, and says why`, async () => {
    const threads: BootedThread[] = [];
    const kills: Kill[] = [];
    const { pools, limits } = makePools({}, undefined, {
      adopted: (_flowId, thread) => void threads.push(thread),
      killed: (_flowId, kill) => void kills.push(kill),
    });
    const model = modelOf(webhook("r", "delay: { constant: 60000 }"));
    const pool = await deployFlow(pools, { model, limits, record: "errors" });
    const run = anInvocation("a");
    pool.invoke(run.invocation);
    await run.begun;
    threads[0]?.port.post(frames);
    const ended = await run.ended;
    assert.equal("kind" in ended && ended.kind, "killed");
    assert.deepEqual(kills, [{ reason: "exit", detail: named }]);
    await pools.close();
  });
}

test("a thread that sends an unknown frame is killed, and the log names the frame", async (t) => {
  const app = await startTestApp(t, { threadEntry: hostile });
  await app.put("f", answering("r", "x"));
  const lost = await app.post("/api/r", "[[99]]");
  assert.equal(lost.headers.get("x-error-code"), "run_killed");
  const killed = app.logs.filter(({ message }) => message.startsWith("a thread was killed"));
  assert.equal(killed.length, 1);
  assert.match(String(killed[0]?.message), /it sent what cannot be read: the protocol has no frame 99/);
});

test("a frame with another number of fields, or with others, does not compile", () => {
  const frames = new Outbox<FrameToThread>(() => {}).open();
  // @ts-expect-error: it has a reason, too
  frames.push(ToThread.cancel, 0);
  // @ts-expect-error: the slot comes first
  frames.push(ToThread.cancel, "why", 0);
  // @ts-expect-error: it has no fields
  frames.push(ToThread.end, 0);
  assert.equal(frames.push(ToThread.cancel, 0, "why"), 10);
});
