/**
 * Sends a message to a deployed flow within a test session of its own: each step's message is recorded whatever the flow
 * records otherwise, mocks answer this message only, and assertions are decided by the runtime.
 */
import { type BulkheadClient, orThrow } from "../../../../src/client/client.ts";
import type { components } from "../../../../src/client/openapi.ts";
import type { FlowAnswer, FlowCall } from "../../../shared/wire.ts";
import { type FlowTest, sessionOf } from "../tests/test-file.ts";

type Schemas = components["schemas"];

export interface Doors {
  readonly client: BulkheadClient;
  /** Calls a flow as its callers do: `POST /targets/:target/call`. */
  readonly callFlow: (call: FlowCall) => Promise<FlowAnswer>;
}

export interface Sent {
  /** Of a message that was posted. */
  readonly answer: FlowAnswer | undefined;
  /** Of a message that a route was begun with. */
  readonly result: Schemas["TestInvokeAnswer"] | undefined;
  /** undefined: no run began, or its record is gone. */
  readonly run: Schemas["RunDetail"] | undefined;
  /** What the session saw, and whether the assertions hold. */
  readonly report: Schemas["TestSessionReport"];
}

/** Rejects with ApiError, DesignerError or UnreachableError. The session is closed in any case. */
export async function sendMessage({ client, callFlow }: Doors, flowId: string, message: FlowTest): Promise<Sent> {
  const session = await orThrow(client.POST("/_api/test/session", { body: sessionOf(flowId, message) }));
  const query = message.waitMs === undefined ? {} : { waitMs: message.waitMs };
  const params = { path: { id: session.sessionId }, query };
  const close = () => orThrow(client.DELETE("/_api/test/session/{id}", { params }));
  try {
    const { answer, result, runId } = await send({ client, callFlow }, session, message);
    const report = await close();
    const run =
      runId === undefined ? undefined : await client.GET("/_api/runs/{runId}", { params: { path: { runId } } });
    return { answer, result, run: run?.data, report };
  } catch (error) {
    // The first error says what is wrong; a session that is left open ends by itself.
    await close().catch(() => {});
    throw error;
  }
}

async function send(
  { client, callFlow }: Doors,
  { sessionId, header }: Schemas["OpenedTestSession"],
  message: FlowTest,
) {
  if (message.post === undefined) {
    const body = { ...message.invoke, sessionId } as Schemas["TestInvokeRequestInput"];
    const result = await orThrow(client.POST("/_api/test/invoke", { body }));
    return { answer: undefined, result, runId: result.runId };
  }
  const { path, method = "POST", headers = {}, body } = message.post;
  const isText = typeof body === "string";
  const hasType = Object.keys(headers).some((name) => name.toLowerCase() === "content-type");
  const answer = await callFlow({
    method,
    path,
    headers: {
      ...(body !== undefined && !isText && !hasType && { "Content-Type": "application/json" }),
      ...headers,
      [header]: sessionId,
    },
    body: body === undefined || isText ? body : JSON.stringify(body),
  });
  const runId = answer.headers.find(([name]) => name === "x-run-id")?.[1];
  return { answer, result: undefined, runId };
}

/** The endpoint that stands for the trigger of a route which no request begins, such as a timer's. */
export const standIn = "direct:try";

/** The message for a route: posted to webhooks, or the route is begun by an endpoint in place of its trigger. */
export function messageFor(routeId: string, triggerUri: string): Pick<FlowTest, "post" | "invoke" | "replaceFrom"> {
  const [scheme = ""] = triggerUri.split(/[:?]/, 1);
  const claimed = /^platform-http:([^?]+)/.exec(triggerUri)?.[1];
  if (scheme === "webhook" || (scheme === "platform-http" && claimed === undefined)) {
    return { post: { method: "POST", path: `/api/${routeId}` } };
  }
  if (claimed !== undefined) {
    const method = /[?&]httpMethodRestrict=(\w+)/.exec(triggerUri)?.[1] ?? "POST";
    return { post: { method, path: `/${claimed.replace(/^\/+/, "")}` } };
  }
  if (scheme === "direct") return { invoke: { endpoint: triggerUri.split("?", 1)[0] } };
  return { replaceFrom: { [routeId]: standIn }, invoke: { endpoint: standIn } };
}
