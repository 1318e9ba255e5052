/** Whether a runtime that is no child of the test has ended. */
import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { eventually } from "./clock.ts";

/**
 * Resolves when the runtime has ended in order and does not listen any more. `data`: its DATA_DIR, whose lock it removes at the end; `output`: the
 * text that names its address.
 */
export async function hasEnded(data: string, output: string): Promise<void> {
  const [url = ""] = /http:\/\/127\.0\.0\.1:\d+/.exec(output) ?? [];
  assert.notEqual(url, "", output);
  await eventually(() => !existsSync(join(data, "lock")), "the lock of the data directory is gone");
  const listens = () =>
    fetch(url).then(
      () => true,
      () => false,
    );
  await eventually(async () => !(await listens()), `nothing listens at ${url}`);
}
