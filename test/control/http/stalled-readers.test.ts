/** Callers that read their answers slowly, or not at all. */
import assert from "node:assert/strict";
import { connect, type Socket } from "node:net";
import { type TestContext, test } from "node:test";
import { after, eventually, every } from "../../support/clock.ts";
import { type OpenDoor, openDoor } from "./door.ts";

/** More than the kernel takes for a reader that takes nothing. */
const large = Buffer.alloc(24 * 1024 * 1024, "x");

function ask(t: TestContext, { port }: OpenDoor, path: string): Socket {
  const socket = connect(port, "127.0.0.1");
  socket.on("error", () => {});
  t.after(() => socket.destroy());
  socket.write(`POST ${path} HTTP/1.1\r\nHost: x\r\nContent-Length: 0\r\n\r\n`);
  return socket;
}

/** A door that answers with much; resolves `cut` when the answer to the path is cut off. */
async function generousDoor(t: TestContext, responseStallMs: number) {
  const cut = new Set<string>();
  const open = await openDoor(t, {
    limits: { responseStallMs },
    ingress(request, response) {
      const { url = "" } = request;
      response.on("close", () => {
        if (!response.writableFinished) cut.add(url);
      });
      if (url === "/stream") response.write(large);
      else response.end(large);
    },
  });
  return { open, cut, cutOff: (path: string) => eventually(() => cut.has(path), `${path} is cut off`, 30_000) };
}

test("who takes nothing of an answer is cut off, also when bytes come from there; an event stream is not", async (t) => {
  const warnings: Error[] = [];
  const warned = (warning: Error) => warnings.push(warning);
  process.on("warning", warned);
  t.after(() => process.off("warning", warned));
  const { open, cut, cutOff } = await generousDoor(t, 300);
  ask(t, open, "/stream").pause();
  ask(t, open, "/silent").pause();
  const trickling = ask(t, open, "/trickling").pause();
  t.after(every(10, () => trickling.write("P")));
  await cutOff("/silent");
  await cutOff("/trickling");
  assert.equal(cut.has("/stream"), false);
  // Each bad byte is an error to Node's server; they must not add up to anything.
  assert.deepEqual(warnings, []);
});

test("who takes an answer slowly gets all of it", async (t) => {
  const { open, cut, cutOff } = await generousDoor(t, 600);
  const slow = ask(t, open, "/slow");
  let received = 0;
  let reads = 0;
  slow.on("data", (chunk: Buffer) => {
    received += chunk.length;
    reads += 1;
    slow.pause();
    after(5, () => slow.resume());
  });
  const silent = cutOff("/silent");
  ask(t, open, "/silent").pause();
  await eventually(() => received >= large.length || cut.has("/slow"), "all is read", 60_000);
  await silent;
  assert.equal(cut.has("/slow"), false);
  assert.ok(reads > 100, `${reads}`);
});
