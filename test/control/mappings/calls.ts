/** Calls on mappings, and flows that use them. */
import assert from "node:assert/strict";
import { webhook } from "../../support/flows.ts";
import type { TestApp } from "../../support/start-app.ts";

export type Kind = "value" | "message";

export interface PutOptions {
  readonly query?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** `document`: a text is sent unchanged. */
export function putMapping(
  app: Pick<TestApp, "api">,
  kind: Kind,
  id: string,
  document: unknown,
  { query = "", headers = {} }: PutOptions = {},
): Promise<Response> {
  return app.api(`/${kind}-mappings/${id}${query}`, {
    method: "PUT",
    headers: { "Content-Type": "application/json", ...headers },
    body: typeof document === "string" ? document : JSON.stringify(document),
  });
}

export interface Put {
  readonly id: string;
  readonly hash: string;
  readonly revision: number;
  readonly rows: number;
  readonly columns: readonly string[];
  readonly usedBy: readonly object[];
  readonly warnings: readonly { readonly code: string; readonly message: string }[];
}

export async function accepted(answer: Response): Promise<Put> {
  const text = await answer.text();
  assert.ok(answer.ok, text);
  return JSON.parse(text) as Put;
}

/** Returns the body of an error. */
export async function refused(answer: Response, status: number, code: string): Promise<string> {
  const { error } = (await answer.json()) as { readonly error: string };
  assert.deepEqual([answer.status, answer.headers.get("x-error-code")], [status, code], error);
  return error;
}

/** A flow that answers with the value of `key` in the mapping `id`. */
export function lookingUp(routeId: string, id: string, key = "a"): string {
  return webhook(routeId, `setBody: { constant: "${key}" }`, `valueMapping: { id: ${id} }`);
}

export async function textOf(app: TestApp, route: string): Promise<string> {
  return (await app.post(`/api/${route}`)).text();
}

export interface RunSeen {
  readonly id: string;
  readonly worker: number;
  readonly error: { readonly type: string; readonly message: string } | null;
  readonly mappings: readonly {
    readonly kind: Kind;
    readonly id: string;
    readonly revision: number;
    readonly hash: string;
  }[];
}

/** The details of the last run of a route. */
export async function lastRun(app: TestApp, routeId: string): Promise<RunSeen> {
  const [run] = (await (await app.api(`/runs?routeId=${routeId}&limit=1`)).json()) as { readonly id: string }[];
  return (await (await app.api(`/runs/${run?.id}`)).json()) as RunSeen;
}
