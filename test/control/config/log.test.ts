/** Standard output as a child process sees it. */
import assert from "node:assert/strict";
import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { closeSync, openSync } from "node:fs";
import { test } from "node:test";
import { promisify } from "node:util";
import type { LogEvent } from "../../../src/shared/trace-event.ts";

const module = new URL("../../../src/control/log.ts", import.meta.url).href;

function program(level: string, body: string): string[] {
  return [
    "--input-type=module",
    "-e",
    `import { createLogger } from ${JSON.stringify(module)};
     const log = createLogger(${JSON.stringify(level)});
     const line = (level, message) => log.write({ ts: "2026-01-01T00:00:00.000Z", seq: 1, level, message, logger: "orders" });
     ${body}`,
  ];
}

async function written(level: string, body: string): Promise<string> {
  const { stdout } = await promisify(execFile)(process.execPath, program(level, body), { maxBuffer: 64 << 20 });
  return stdout;
}

async function lines(level: string, body: string): Promise<LogEvent[]> {
  const text = await written(level, body);
  return text
    .split("\n")
    .slice(0, -1)
    .map((line) => JSON.parse(line));
}

test("a line is the event as it is, also when the process exits at once", async () => {
  assert.deepEqual(await lines("INFO", `line("INFO", "a\\nb"); process.exit(0);`), [
    { ts: "2026-01-01T00:00:00.000Z", seq: 1, level: "INFO", message: "a\nb", logger: "orders" },
  ]);
});

test("no character of a message steers a terminal or ends the line, and each is read as it was", async () => {
  const body = `line("INFO", Array.from({ length: 0xd800 }, (_, code) => String.fromCharCode(code)).join(""));`;
  const text = await written("INFO", body);
  const message = Array.from({ length: 0xd800 }, (_, code) => String.fromCharCode(code)).join("");
  assert.equal((JSON.parse(text) as LogEvent).message, message);
  assert.match(text, /^[^\p{Cc}\p{Zl}\p{Zp}\u202a-\u202e\u2066-\u2069]+\n$/u);
});

test("events below the level are not written", async () => {
  const events = await lines(
    "WARN",
    `for (const level of ["TRACE", "DEBUG", "INFO", "WARN", "ERROR"]) line(level, level);`,
  );
  assert.deepEqual(
    events.map(({ level }) => level),
    ["WARN", "ERROR"],
  );
});

test("every line of a burst arrives, in order", async () => {
  const events = await lines("INFO", `for (let i = 0; i < 20000; i++) line("INFO", String(i));`);
  assert.deepEqual(
    events.map(({ message }) => Number(message)),
    Array.from({ length: 20_000 }, (_, i) => i),
  );
});

test("a line is written in time while the process lives on", async () => {
  const child = spawn(process.execPath, program("INFO", `line("INFO", "up"); setInterval(() => {}, 1000);`));
  const [chunk] = await once(child.stdout, "data");
  assert.equal(JSON.parse(String(chunk)).message, "up");
  child.kill("SIGKILL");
  await once(child, "exit");
});

test("a process whose reader is gone, or whose disk is full, lives on and can end", async () => {
  const body = `
    for (let i = 0; i < 100; i++) line("INFO", "x".repeat(100));
    setTimeout(() => { line("INFO", "last"); log.flush(); console.error("alive"); process.exit(0); }, 150);`;
  const full = openSync("/dev/full", "w");
  for (const stdout of ["pipe", full] as const) {
    const child = spawn(process.execPath, program("INFO", body), { stdio: ["ignore", stdout, "pipe"] });
    child.stdout?.destroy();
    const [[told], [code]] = await Promise.all([once(child.stderr ?? assert.fail(), "data"), once(child, "exit")]);
    assert.match(String(told), /alive/);
    assert.equal(code, 0);
  }
  closeSync(full);
});
