/** Loaded into a server's process before it: no thread gets the lowest priority, which is where the supervisor puts one that burns CPU. */
import { syncBuiltinESMExports } from "node:module";
import os from "node:os";

const lowest = 19;
const { setPriority } = os;

os.setPriority = (pid: number, priority?: number): void => {
  if (priority === lowest) throw new Error("not demoted: it is measured what demotion brings");
  if (priority === undefined) setPriority(pid);
  else setPriority(pid, priority);
};
syncBuiltinESMExports();
