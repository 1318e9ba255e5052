/** A caller and the run that it waits for in another flow have one deadline: whoever notices first that it is over, the answer is 504. */
import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";
import { epochMs, eventually } from "../support/clock.ts";
import { direct, webhook } from "../support/flows.ts";
import { startTestApp } from "../support/start-app.ts";

const wallMs = 80;
const calls = 5;

/**
 * Whoever looks at the clock first once `deadline()` is over finds it 40 ms before that, and looks again later: mostly the caller's thread,
 * so that the called one comes first.
 */
function lateClock(t: TestContext, deadline: () => number): void {
  const now = Date.now.bind(Date);
  let shown = 0;
  let early = false;
  t.mock.method(Date, "now", () => {
    const time = now();
    if (time >= deadline() && shown !== deadline()) {
      shown = deadline();
      early = true;
      queueMicrotask(() => {
        early = false;
      });
    }
    return early ? deadline() - 40 : time;
  });
}

for (const [who, clause] of [
  ["a caller", ""],
  [
    "a caller that handles all failures",
    "- onException: { exception: [java.lang.Throwable], handled: { constant: 'true' } }\n",
  ],
]) {
  test(`${who} of a run that takes too long is answered 504, even if that run is stopped first`, async (t) => {
    const app = await startTestApp(t);
    await app.put("grandchild", direct("grandchild", "grandchild", "delay: { constant: 60000 }"));
    await app.put("child", direct("child", "child", "to: direct:grandchild"));
    const yaml = clause + webhook("parent", "to: direct:child");
    assert.equal((await app.put("parent", yaml, { limits: { webhookWallMs: wallMs } })).status, 201);
    let deadline = Number.POSITIVE_INFINITY;
    lateClock(t, () => deadline);
    for (let i = 0; i < calls; i += 1) {
      deadline = epochMs() + wallMs + 2;
      const answer = await app.post("/api/parent");
      assert.deepEqual([answer.status, answer.headers.get("x-error-code")], [504, "run_timeout"], `call ${i}`);
    }
    // On a busy machine the time may be over before the last of them is called.
    const runs = await eventually(async () => {
      const all = (await (await app.api("/runs")).json()) as readonly { readonly status: string }[];
      return all.some(({ status }) => status === "running") ? undefined : all;
    }, "all of them have ended");
    assert.deepEqual(
      runs.filter(({ status }) => status !== "timeout"),
      [],
    );
  });
}
