/** The command as a shell starts it. */
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { fileURLToPath } from "node:url";

const bin = fileURLToPath(new URL("../../../bin/bulkhead.js", import.meta.url));

/** Runs the command under a Node.js that says it is of this version, with a port that ends it at once. */
function run(version: string) {
  const versions = `Object.defineProperty(process, "versions", {value: {...process.versions, node: "${version}"}})`;
  const disguise = `data:text/javascript,${encodeURIComponent(versions)}`;
  const env = { ...process.env, PORT: "none" };
  return spawnSync(process.execPath, ["--import", disguise, bin], { encoding: "utf8", env });
}

test("an old Node.js is told in one line what is needed", () => {
  for (const version of ["10.24.1", "20.20.2", "24.11.9"]) {
    const { status, stdout, stderr } = run(version);
    assert.equal(status, 1);
    assert.equal(stdout, "");
    assert.equal(
      stderr,
      `bulkhead needs Node.js 24.12 or later and this is ${version}: \`npm start\` runs it with the right one\n`,
    );
  }
});

test("a new one starts the runtime, which checks its configuration first", () => {
  for (const version of ["24.12.0", "26.0.0"]) {
    const { status, stderr } = run(version);
    assert.equal(status, 1);
    assert.match(stderr, /^bulkhead: the configuration is not usable:\n {2}PORT: 'none' is not a port/);
  }
});

test("the command is written in syntax that an old Node.js can read", () => {
  const text = readFileSync(bin, "utf8");
  assert.doesNotMatch(text.replace(/^#!.*|\/\/.*/gm, ""), /\b(const|let|async|await|class)\b|=>|\?\?|\?\.|\$\{/);
});
