/** A thread of a state store that fails each request: `disk_full` for flows of the group `full`, else `store_failed`. */
import { parentPort } from "node:worker_threads";
import { type Answers, closing, readRequests } from "../../../src/control/state/wire.ts";

parentPort?.on("message", (message: unknown) => {
  if (message === closing) {
    parentPort?.close();
    return;
  }
  const answers: Answers = [];
  for (const { id, group } of readRequests(message as unknown[])) {
    answers.push(id, group === "full" ? "disk_full" : "store_failed", "it is made to fail");
  }
  parentPort?.postMessage(answers);
});
