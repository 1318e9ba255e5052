/** Loaded into a server's process before it: all of its threads keep the priority of its main thread. */
import { syncBuiltinESMExports } from "node:module";
import os from "node:os";

os.setPriority = (): void => {
  throw new Error("no priority is set: it is measured what priorities cost");
};
syncBuiltinESMExports();
