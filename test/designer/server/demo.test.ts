/** `npm run demo`: a runtime and a designer with the sample flows, which end together. */
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { resolve } from "node:path";
import { test } from "node:test";
import type { FlowEntry } from "../../../designer/shared/wire.ts";

test("the demo prints both addresses, its samples are deployed, one of them stores and reads, and nothing stays when it is ended", async (t) => {
  const root = resolve(import.meta.dirname, "../../..");
  const env = { ...process.env, PORT: "0", DESIGNER_PORT: "0" };
  const demo = spawn(process.execPath, ["scripts/demo.ts"], { cwd: root, env, stdio: ["ignore", "pipe", "pipe"] });
  t.after(() => demo.kill("SIGTERM"));
  const ended = once(demo, "exit");
  let text = "";
  for await (const part of demo.stdout) {
    text += part;
    if (text.includes("Ctrl-C ends both")) break;
  }
  const [runtime = "", designer = "", folder = ""] = [/^runtime: +(\S+)/m, /^designer: +(\S+)/m, /^flows: +(\S+)/m].map(
    (line) => line.exec(text)?.[1] ?? "",
  );
  assert.equal((await fetch(`${runtime}/_api/health`)).status, 200);
  assert.match(await (await fetch(`${designer}/`)).text(), /<div id="root">/);
  const flows = (await (await fetch(`${designer}/designer/flows`)).json()) as FlowEntry[];
  assert.ok(flows.some(({ id, deployed }) => id === "hello" && deployed["default"]?.revision === 1));
  assert.ok(flows.some(({ id, deployed }) => id === "notes" && deployed["default"]?.revision === 1));
  const post = async (path: string, body: unknown): Promise<string> => {
    const headers = { "Content-Type": "application/json" };
    return await (await fetch(`${runtime}${path}`, { method: "POST", headers, body: JSON.stringify(body) })).text();
  };
  assert.equal(await post("/api/note", { author: "Ada", note: "the engine weaves" }), "stored 1");
  assert.equal(await post("/api/notes", { author: "Ada" }), '[{"id":1,"note":"the engine weaves"}]');
  demo.kill("SIGTERM");
  assert.deepEqual(await ended, [0, null]);
  assert.equal(existsSync(folder), false);
  await assert.rejects(fetch(`${runtime}/_api/health`));
  await assert.rejects(fetch(`${designer}/`));
});
