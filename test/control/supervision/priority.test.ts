/** The rank of flow threads with the operating system. */
import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { platform } from "node:process";
import { test } from "node:test";
import { eventually } from "../../support/clock.ts";
import { webhook } from "../../support/flows.ts";
import { startTestApp } from "../../support/start-app.ts";

const step = `setHeader: { name: a, simple: "\${body.length()}" }`;
const forEver = `loop: { constant: 100000, steps: [{ loop: { constant: 100000, steps: [{ ${step} }] } }] }`;
const threadNice = 3;

/** How many threads of this process have this rank; field 19 of `stat`, and the name before it may have spaces. */
function ranked(nice: number): number {
  const stats = readdirSync("/proc/self/task").map((id) => statOf(id));
  return stats.filter((stat) => stat.slice(stat.lastIndexOf(")") + 2).split(" ")[16] === String(nice)).length;
}

function statOf(id: string): string {
  try {
    return readFileSync(`/proc/self/task/${id}/stat`, "utf8");
  } catch {
    // It has ended meanwhile.
    return "";
  }
}

test("a thread that burns CPU time goes below its neighbours, and comes back when it has stopped", {
  skip: platform !== "linux",
}, async (t) => {
  // Idle threads stay: one that is released for that would count as one that came back.
  const app = await startTestApp(t, { limits: { threadNice, idleMs: 86_400_000 } });
  const limits = { stepsPerRun: 10_000_000, stuckLoopMs: 60_000, runCpuMs: 60_000 };
  await app.put("f", webhook("spin", forEver) + webhook("ask", 'log: "x"'), { limits });
  assert.equal(ranked(threadNice), 1);
  const lost = app.post("/api/spin", "body");
  await eventually(() => ranked(19) === 1, "the thread is demoted");
  const [run] = (await (await app.api("/runs?routeId=spin")).json()) as [{ id: string }];
  assert.equal((await app.api(`/runs/${run.id}/cancel`, { method: "POST" })).status, 202);
  // A busy machine may keep the thread from hearing of the cancel until it is ended for that: then the run is lost with it (500).
  assert.match(String((await lost).status), /^50[03]$/);
  await eventually(() => ranked(19) === 0, "it is back");
  // Or the next call gets another one in its place. Without a right of its own a process cannot raise a thread again.
  assert.equal((await app.post("/api/ask", "x")).status, 200);
  await eventually(() => ranked(threadNice) === 1 && ranked(19) === 0, "no thread is below its neighbours");
});
