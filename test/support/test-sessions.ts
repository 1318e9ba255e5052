/** Test sessions over the management API. */
import assert from "node:assert/strict";
import type { InvokeAnswer, OpenedSession, SessionReport } from "../../src/control/runs/test-sessions/test-service.ts";
import type { DocumentProblem } from "../../src/shared/problems.ts";
import type { TestApp } from "./start-app.ts";

const json = { "Content-Type": "application/json" };

/** Sends a POST to `/_api/test/session`; returns the answer unchanged. */
export function postSession(app: TestApp, document: object): Promise<Response> {
  return app.api("/test/session", { method: "POST", headers: json, body: JSON.stringify(document) });
}

/** Has a session's document validated; returns its problems. */
export async function problemsOf(app: TestApp, document: object): Promise<readonly DocumentProblem[]> {
  const answer = await app.api("/test/validate", { method: "POST", headers: json, body: JSON.stringify(document) });
  const { valid, problems } = (await bodyOf(answer, 200)) as { valid: boolean; problems: readonly DocumentProblem[] };
  assert.equal(valid, problems.length === 0);
  return problems;
}

export async function openSession(app: TestApp, document: object): Promise<OpenedSession> {
  return (await bodyOf(await postSession(app, document), 201)) as OpenedSession;
}

export async function lookAt(app: TestApp, { sessionId }: OpenedSession): Promise<SessionReport> {
  return (await bodyOf(await app.api(`/test/session/${sessionId}`), 200)) as SessionReport;
}

export async function closeSession(
  app: TestApp,
  { sessionId }: OpenedSession,
  query = "",
  body?: object,
): Promise<SessionReport> {
  const more = body === undefined ? {} : { headers: json, body: JSON.stringify(body) };
  const answer = await app.api(`/test/session/${sessionId}${query}`, { method: "DELETE", ...more });
  return (await bodyOf(answer, 200)) as SessionReport;
}

export function postInvoke(app: TestApp, { sessionId }: OpenedSession, document: object): Promise<Response> {
  const body = JSON.stringify({ sessionId, ...document });
  return app.api("/test/invoke", { method: "POST", headers: json, body });
}

export async function invoke(app: TestApp, session: OpenedSession, document: object): Promise<InvokeAnswer> {
  return (await bodyOf(await postInvoke(app, session, document), 200)) as InvokeAnswer;
}

/** Returns the headers of a request that joins the session. */
export function joinHeaders({ sessionId }: OpenedSession): Readonly<Record<string, string>> {
  return { "X-Test-Session": sessionId };
}

/** Checks an error answer and returns its message. */
export async function expectRefusal(
  answer: Response | Promise<Response>,
  status: number,
  code: string,
): Promise<string> {
  const { headers } = await answer;
  const { error } = (await bodyOf(await answer, status)) as { error: string };
  assert.equal(headers.get("x-error-code"), code);
  return error;
}

async function bodyOf(answer: Response, status: number): Promise<unknown> {
  const text = await answer.text();
  assert.equal(answer.status, status, text);
  return JSON.parse(text);
}
