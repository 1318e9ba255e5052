/** `Prefer: respond-async` (RFC 7240 4.1): the call is answered as soon as its run is under way. */
import type { RunningRun } from "../runs/running-run.ts";
import { type Answer, traceparent } from "./http-answer.ts";

/** Returns 202 and the address of the run's record (RFC 9110 15.3.3), for those with the right to read it. */
export function acceptedAnswer(run: RunningRun): Answer {
  const body = JSON.stringify({ runId: run.runId, status: run.record.status });
  const headers = ["X-Run-Id", run.runId, "traceparent", traceparent(run), "Location", `/_api/runs/${run.runId}`];
  headers.push("Preference-Applied", "respond-async", "Content-Type", "application/json");
  headers.push("Content-Length", String(body.length));
  return { status: 202, headers, body, length: body.length };
}
