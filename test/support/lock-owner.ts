/**
 * A process that locks the directory in its first argument, prints `locked` or the reason why not, and keeps the lock
 * until its input ends.
 */
import { lockDirectory } from "../../src/control/stores/directory-lock.ts";

const [path = "", waitMs] = process.argv.slice(2);
try {
  const lock = await lockDirectory({
    ...{ variable: "DATA_DIR", path, mode: 0o700, record: "lock" },
    waitMs: Number(waitMs),
  });
  process.stdout.write("locked\n");
  process.stdin.on("end", () => void lock.release()).resume();
} catch (error) {
  process.stdout.write(`${error instanceof Error ? error.message : String(error)}\n`);
}
