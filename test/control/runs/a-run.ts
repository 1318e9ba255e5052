/** Run records for tests of what is kept and counted of runs. */
import { type RunOwner, RunRecord, type RunStatus } from "../../../src/control/runs/run-record.ts";

const at = { line: 1, column: 1, endLine: 1, endColumn: 2 };

export function anOwner(flowId: string, revision = 1): RunOwner {
  return {
    flowId,
    hash: "9f2c",
    revision,
    manifest: {
      routes: [],
      steps: [
        { id: "choice1", type: "choice", routeId: "r", at },
        { id: "log1", type: "log", routeId: "r", at },
        { id: "to-crm", type: "to", routeId: "r", at },
      ],
      externalDirects: [],
      stateful: false,
      lifecycle: false,
      mappings: [],
      secrets: [],
      network: false,
      files: false,
    },
  };
}

let count = 0;

export function aRun(routeId = "r", owner: RunOwner = anOwner("f")): RunRecord {
  count += 1;
  const trigger = { kind: "webhook", uri: "webhook", method: "POST", path: `/api/${routeId}` } as const;
  return new RunRecord(owner, routeId, trigger, `run-${count}`, "0".repeat(32), null);
}

export function ended(record: RunRecord, status: RunStatus, durationMs = 4): RunRecord {
  record.status = status;
  record.outcome = status === "completed" ? "ok" : "error";
  record.durationMs = durationMs;
  return record;
}
