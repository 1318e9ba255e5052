/** Policies that tests install. */
import assert from "node:assert/strict";
import type { TestApp } from "./start-app.ts";

/** The key of a principal `shop` with the role `sender`; long enough not to be weak. */
export const shopKey = "shop-3d1c9a7be5f20846d1c9a7be5f208463";
export const withKey = { "X-API-Key": shopKey } as const;

/** Lets `shop` in, and nobody else. */
export const shopOnly = {
  principals: { shop: { type: "apiKey", key: shopKey, roles: ["sender", "b2b"] } },
  rules: [{ allow: ["invoke"], roles: ["sender"] }],
} as const;

export const nobody = { allow: [] } as const;
export const everybody = { public: true } as const;

export function putPolicy(app: TestApp, flowId: string, document: object, query = ""): Promise<Response> {
  const headers = { "Content-Type": "application/json" };
  return app.api(`/auth/${flowId}${query}`, { method: "PUT", headers, body: JSON.stringify(document) });
}

export async function install(app: TestApp, flowId: string, document: object): Promise<void> {
  const answer = await putPolicy(app, flowId, document);
  assert.ok(answer.status === 200 || answer.status === 201, `${answer.status} ${await answer.text()}`);
  await answer.arrayBuffer().catch(() => undefined);
}

/** Returns status and error code of an answer. */
export function outcome(answer: Response): string {
  const code = answer.headers.get("x-error-code");
  return code === null ? String(answer.status) : `${answer.status} ${code}`;
}
