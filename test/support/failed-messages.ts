/** Calls of `/_api/failed` for tests. */
import assert from "node:assert/strict";
import { eventually } from "./clock.ts";
import type { TestApp } from "./start-app.ts";

export interface Failed {
  readonly id: string;
  readonly runId: string;
  readonly flowId: string;
  readonly routeId: string;
  readonly revision: number;
  readonly at: string;
  readonly trigger: { readonly kind: string; readonly uri: string; readonly principal?: string };
  readonly error: { readonly type: string; readonly message: string; readonly stepId: string | null } | null;
  readonly attempts: number;
  readonly count: number;
  readonly bytes: number;
  readonly state: "waiting" | "retrying" | "retried" | "discarded";
  readonly deadLetter: boolean;
}

export interface FailedDetail extends Failed {
  readonly runs: readonly string[];
  readonly message: {
    readonly headers: Readonly<Record<string, unknown>>;
    readonly properties: Readonly<Record<string, unknown>>;
    readonly body: unknown;
  } | null;
}

type Caller = Pick<TestApp, "api">;

export async function failedList(app: Caller, query = ""): Promise<readonly Failed[]> {
  const response = await app.api(`/failed${query}`);
  assert.equal(response.status, 200, await response.clone().text());
  return (await response.json()) as readonly Failed[];
}

/** Resolves with the messages that wait, once there are so many. */
export async function waitingMessages(
  app: Caller,
  count: number,
  query = "?state=waiting",
): Promise<readonly Failed[]> {
  let found: readonly Failed[] = [];
  await eventually(async () => {
    found = await failedList(app, query);
    return found.length >= count;
  }, `${count} failed messages`);
  assert.equal(found.length, count);
  return found;
}

export async function failedMessage(app: Caller, id: string): Promise<FailedDetail> {
  const response = await app.api(`/failed/${id}`);
  assert.equal(response.status, 200, await response.clone().text());
  return (await response.json()) as FailedDetail;
}

export function postFailed(app: Caller, path: string, sent?: unknown): Promise<Response> {
  const body =
    sent === undefined ? {} : { body: JSON.stringify(sent), headers: { "content-type": "application/json" } };
  return app.api(`/failed/${path}`, { method: "POST", ...body });
}

export interface RetryAnswer {
  readonly runId: string;
  readonly status: string;
  readonly body: unknown;
}

/** Retries a message and waits for the end of its run. */
export async function retried(app: Caller, id: string, sent?: unknown): Promise<RetryAnswer> {
  const response = await postFailed(app, `${id}/retry?wait=true`, sent);
  assert.equal(response.status, 200, await response.clone().text());
  return (await response.json()) as RetryAnswer;
}
