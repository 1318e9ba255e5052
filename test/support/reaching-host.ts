/** Tries, as the main thread of a host process, to reach further: run with its flags, it prints a list of outcomes. */
import { spawnSync } from "node:child_process";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { connect } from "node:net";

const own = `/proc/self/task/${process.pid}`;
const attempts: Readonly<Record<string, () => unknown>> = {
  "read a system file": () => readFileSync("/etc/passwd"),
  "read its own environment": () => readFileSync("/proc/self/environ"),
  "read its parent's environment": () => readFileSync(`/proc/${process.ppid}/environ`),
  "read its environment by a thread": () => readFileSync(`${own}/environ`),
  "read a file by a thread's root": () => readFileSync(`${own}/root/etc/passwd`),
  "list a directory by a thread": () => readdirSync(`${own}/cwd`),
  "open its memory by a thread": () => readFileSync(`${own}/mem`),
  "list its threads": () => readdirSync("/proc/self/task"),
  "write a file": () => writeFileSync("/tmp/bulkhead-reach", "x"),
  "start a process": () => spawnSync("true"),
  connect: async () => {
    const socket = connect(1, "127.0.0.1");
    await new Promise((resolve, reject) => socket.once("error", reject).once("connect", resolve));
  },
};

const outcomes: [string, string][] = [];
for (const [name, attempt] of Object.entries(attempts)) {
  try {
    await attempt();
    outcomes.push([name, "done"]);
  } catch (error) {
    outcomes.push([name, (error as NodeJS.ErrnoException).code ?? String(error)]);
  }
}
console.log(JSON.stringify([...outcomes, ["environment", JSON.stringify(process.env)]]));
