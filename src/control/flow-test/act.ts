/** Performs a test's action: `invoke` a route of its flow, or send a request to it. */
import { parseExactly } from "../../shared/exact-json.ts";
import type { InvokeAnswer, OpenedSession } from "../runs/test-sessions/test-service.ts";
import type { ApiClient } from "./api-client.ts";
import type { Got, RunError } from "./expectation.ts";
import type { FlowTest } from "./test-file.ts";
import type { PostDocument } from "./test-schema.ts";

export async function act(api: ApiClient, session: OpenedSession, { invoke, post }: FlowTest): Promise<Got> {
  if (post !== undefined) return request(api, session, post);
  const { sessionId } = session;
  const answer = await api.call<InvokeAnswer>("POST", "/test/invoke", { sessionId, ...invoke });
  return { status: answer.status, headers: answer.headers, body: answer.body, error: answer.error };
}

async function request(api: ApiClient, session: OpenedSession, post: PostDocument): Promise<Got> {
  const headers = new Headers({ [session.header]: session.sessionId });
  const body = bodyOf(post, headers);
  for (const [name, value] of Object.entries(post.headers ?? {})) headers.set(name, String(value));
  const answer = await api.request(post.path, {
    method: post.method ?? "POST",
    headers,
    ...(body !== undefined && { body }),
  });
  const bytes = new Uint8Array(await answer.arrayBuffer());
  const runId = answer.headers.get("x-run-id");
  return {
    status: answer.status,
    headers: Object.fromEntries(answer.headers),
    body: readBody(bytes, answer.headers.get("content-type") ?? ""),
    error: runId === null ? null : await errorOf(api, runId),
  };
}

function bodyOf({ body, bodyBase64 }: PostDocument, headers: Headers): string | Buffer<ArrayBuffer> | undefined {
  if (bodyBase64 !== undefined) return Buffer.from(bodyBase64, "base64");
  if (body === undefined || typeof body === "string") return body;
  headers.set("Content-Type", "application/json");
  return JSON.stringify(body);
}

async function errorOf(api: ApiClient, runId: string): Promise<RunError | null> {
  const { error } = await api.call<{ readonly error: RunError | null }>("GET", `/runs/${encodeURIComponent(runId)}`);
  return error;
}

/** Returns a JSON value if the answer's type is JSON, else its text; bytes that are not text as base64. */
function readBody(bytes: Uint8Array, type: string): unknown {
  let text: string;
  try {
    text = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return Buffer.from(bytes).toString("base64");
  }
  if (!/^application\/(?:[\w.-]+\+)?json\b/i.test(type)) return text;
  try {
    return parseExactly(text);
  } catch {
    return text;
  }
}
