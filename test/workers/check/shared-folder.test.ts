/** A consumer of a server's folder that does not keep a second one from its files gets a warning. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { warningsOf } from "./real-catalog.ts";

test("a folder whose files are moved or deleted when a run has ended warns without preMove", async () => {
  for (const scheme of ["sftp", "ftp", "ftps"]) {
    const warned = async (parameters: string): Promise<readonly string[]> => {
      const from = `{ uri: ${scheme}, parameters: { directoryName: in, ${parameters} }, steps: [{ log: x }] }`;
      const all = await warningsOf(`- route: { id: main, from: ${from} }\n`);
      return all.filter((line) => line.includes("shared_folder"));
    };
    for (const parameters of ["move: done", "delete: true", "move: done, readLock: rename"])
      assert.match((await warned(parameters)).join(), /1:\d+ shared_folder.*write preMove: taken/, parameters);
    for (const parameters of ["move: done, preMove: taken", "noop: true"])
      assert.deepEqual(await warned(parameters), [], parameters);
  }
});
