/** What a thread asks the state store about values: the form on the line, and what does not leave the thread. */
import assert from "node:assert/strict";
import { test } from "node:test";
import type { FrameToControl } from "../../src/shared/frames-to-control.ts";
import type { Outbox } from "../../src/shared/outbox.ts";
import { StateLine } from "../../src/workers/state-line.ts";

test("a value that is none is refused before it is sent, and any short text is one", async () => {
  const sent: unknown[][] = [];
  const outbox = { open: () => ({ push: (...frame: unknown[]) => void sent.push(frame) }) };
  const line = new StateLine(outbox as unknown as Outbox<FrameToControl>, (text) => text);
  for (const value of ["x".repeat(1025), "\u00e4".repeat(513), "\ud800"]) {
    await assert.rejects(line.putIf("ids", "=k", undefined, value), /at most 1024 bytes that UTF-8 can represent/);
  }
  assert.equal(sent.length, 0);
  for (const value of ["", "\u00e4".repeat(512)]) void line.putIf("ids", "=k", "", value);
  assert.deepEqual(
    sent.map((frame) => frame.slice(-4)),
    [
      ["ids", "=k", "=", "="],
      ["ids", "=k", "=", `=${"\u00e4".repeat(512)}`],
    ],
  );
});
