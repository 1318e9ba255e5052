/** Puts the checkout's package.json back, which `npm pack` has set aside. `node scripts/package/restore.ts [PID ...]`: when these processes have ended. */
import { resolve } from "node:path";
import { restore } from "./checkout.ts";

const everyMs = 100;
const root = resolve(import.meta.dirname, "../..");
const pids = process.argv.slice(2).map(Number);

while (pids.some(isAlive)) await new Promise((wait) => setTimeout(wait, everyMs));
restore(root);

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}
