/** A script that takes more memory or stack than there is ends in LimitExceededException, and the thread's next script runs. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { exceptionMessage, exceptionType } from "../../../src/workers/engine/exception.ts";
import { routeOf, runRoute } from "../../support/run-route.ts";

const scripts: Readonly<Record<string, string>> = {
  "JSON.parse of what nests deep": "JSON.parse('['.repeat(1e5) + ']'.repeat(1e5))",
  texts: "const a = []; for (;;) a.push('xxxxxxxxxxxxxxxxx' + a.length)",
  lists: "const a = []; for (;;) a.push(new Array(1000).fill(1))",
  "one long text": "let s = 'x'; for (;;) s += s",
  "a text that is padded": "'x'.padEnd(5e8)",
  "objects that only a function holds": "(() => { const a = []; for (;;) a.push({}) })()",
  "a map": "const m = new Map(); for (let i = 0; ; i++) m.set(i, i)",
  functions: "const a = []; for (;;) a.push(() => a)",
  promises: "const a = []; for (;;) a.push(Promise.resolve())",
  "a promise that is rejected": "(async () => { const a = []; for (;;) a.push({}) })()",
  "bytes at once": "new Uint8Array(1e9)",
  "bytes by and by": "const a = []; for (;;) a.push(new ArrayBuffer(1e6))",
  "JSON.parse of long numbers": "JSON.parse('[' + '12345678901234567890,'.repeat(1e6) + '1]')",
  "JSON.stringify of a long list": "JSON.stringify(new Array(1e7).fill(1))",
  "JSON.stringify of BigInt": "JSON.stringify(new Array(1e6).fill(12345678901234567890n))",
  BigInt: "const a = []; for (;;) a.push(12345678901234567890n * BigInt(a.length))",
  "what the flow is given": "message.body = 'x'.repeat(3e7)",
  recursion: "const f = () => [f()].map(f); f()",
};

async function ended(script: string): Promise<string> {
  const { error, exchange } = await runRoute(routeOf(`- setBody: { js: "${script}" }`), {
    limits: { scriptMs: 60_000 },
  });
  return error === undefined ? String(exchange.message.body) : `${exceptionType(error)}: ${exceptionMessage(error)}`;
}

for (const [what, script] of Object.entries(scripts)) {
  test(what, async () => {
    assert.match(await ended(script), /LimitExceededException: .*uses at most 67108864 bytes and a stack of/);
    assert.equal(await ended("1 + 1"), "2");
  });
}

test("what a script throws is its own, and what it catches, too", async () => {
  assert.match(await ended("throw null"), /ScriptException: null/);
  assert.match(await ended("throw undefined"), /ScriptException: undefined/);
  assert.equal(await ended("let a = []; try { for (;;) a.push({}) } catch { a = undefined } 'caught'"), "caught");
  assert.match(await ended("throw null"), /ScriptException: null/);
});
