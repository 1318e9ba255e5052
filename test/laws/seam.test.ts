/** Connectors leave the life of their consumers to the runtime (src/workers/engine/attended). */
import assert from "node:assert/strict";
import { globSync, readFileSync } from "node:fs";
import { resolve } from "node:path";
import { test } from "node:test";

const root = resolve(import.meta.dirname, "../../src/workers");

const folders = "connectors components/{database,jms,kafka,paho,rabbitmq,remote-file,sql}";

/** Pauses, attempts to connect again, and failures of connections for the error handler. */
const life = ["BackOff", "setTimeout", "steadyMs", "bridgeErrorHandler"];

test("no connector waits, connects again, or bridges its failures by itself", () => {
  const files = folders.split(" ").flatMap((folder) => globSync(`${folder}/**/*.ts`, { cwd: root }));
  assert.ok(files.length > 100, `${files.length} files`);
  assert.deepEqual(
    files.filter((file) => {
      const source = readFileSync(resolve(root, file), "utf8");
      return life.some((word) => source.includes(word));
    }),
    [],
  );
});
