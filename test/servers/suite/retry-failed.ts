/** Retries the failed messages that the runtime has kept, as an operator would. */
import assert from "node:assert/strict";
import type { TestApp } from "../../support/start-app.ts";

/** Resolves with how many there were, when the runs of all have ended. */
export async function retryFailed({ api }: Pick<TestApp, "api">): Promise<number> {
  const answer = await api("/failed?state=waiting&limit=500");
  assert.ok(answer.ok, await answer.clone().text());
  const waiting = (await answer.json()) as readonly { readonly id: string }[];
  for (const { id } of waiting) await api(`/failed/${id}/retry?wait=true`, { method: "POST" });
  return waiting.length;
}
