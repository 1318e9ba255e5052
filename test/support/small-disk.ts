/** A small disk of its own, which a test can fill. */
import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { TestContext } from "node:test";

/** Returns its path. `size`: as `mount` has it. undefined: this user may not mount one, and the test is skipped. */
export function smallDisk(t: TestContext, size: string): string | undefined {
  const path = mkdtempSync(join(tmpdir(), "bulkhead-disk-"));
  try {
    execFileSync("mount", ["-t", "tmpfs", "-o", `size=${size}`, "tmpfs", path], { stdio: "pipe" });
  } catch (error) {
    rmSync(path, { recursive: true });
    t.skip(`no disk can be mounted here: ${error instanceof Error ? error.message.trim() : String(error)}`);
    return undefined;
  }
  t.after(() => {
    execFileSync("umount", ["-l", path]);
    rmSync(path, { recursive: true });
  });
  return path;
}
