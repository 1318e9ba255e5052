/** A state thread on a broken disk: what is asked for flow `full` has no room, and anything else cannot be read. */
import { parentPort } from "node:worker_threads";
import { closing, readRequests } from "../../../src/control/state/wire.ts";

parentPort?.on("message", (message: unknown) => {
  if (message === closing) parentPort?.close();
  else
    for (const { id, owner } of readRequests(message as unknown[]))
      parentPort?.postMessage([id, owner.flowId === "full" ? "disk_full" : "store_failed", "made to fail"]);
});
