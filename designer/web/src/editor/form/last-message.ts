/** The last message that a step of an open flow has received on a runtime, and what an expression gives for it. */
import { orThrow } from "../../../../../src/client/client.ts";
import { runtimeOf, type Schemas } from "../../api/runtime.ts";
import { stepKeys } from "../../runs/step-keys.ts";
import type { Item } from "../session/items.ts";
import type { EditorSession } from "../session/session.ts";

/** How many of the last runs are searched. */
const mostRuns = 5;

export interface LastMessage {
  /** When the run began: ISO 8601. */
  readonly at: string;
  readonly message: NonNullable<Schemas["RunDetail"]["stepRuns"][number]["in"]>;
}

/** @returns undefined: none of the last runs has recorded it. Rejects as calls of the runtime do. */
export async function lastMessageOf(
  target: string,
  session: EditorSession,
  item: Item,
  signal: AbortSignal,
): Promise<LastMessage | undefined> {
  const stepId = stepIdOf(session, item);
  if (stepId === undefined) return undefined;
  const client = runtimeOf(target);
  const query = { flowId: session.id, limit: mostRuns };
  for (const { id } of await orThrow(client.GET("/_api/runs", { params: { query }, signal }))) {
    const { stepRuns, startedAt } = await orThrow(
      client.GET("/_api/runs/{runId}", { params: { path: { runId: id } }, signal }),
    );
    const message = stepRuns.findLast((one) => one.id === stepId && one.in !== undefined)?.in;
    if (message !== undefined) return { at: startedAt, message };
  }
  return undefined;
}

/** A branch has the message of the step that it belongs to. */
function stepIdOf(session: EditorSession, item: Item): string | undefined {
  const { index } = session.get();
  let step: Item | undefined = item;
  while (step !== undefined && step.kind !== "step") step = index.items.get(step.parent ?? "");
  return stepKeys(session.get()).find(({ key }) => key === step?.key)?.stepId;
}

export interface TriedExpression {
  readonly language: string;
  readonly text: string;
  readonly isCondition: boolean;
}

export function evaluate(
  target: string,
  { language, text, isCondition }: TriedExpression,
  { message }: LastMessage,
  params: unknown,
  signal: AbortSignal,
): Promise<Schemas["ExpressionValue"]> {
  const { headers, body } = message;
  const content = isJson(message) ? { json: body } : { body };
  return orThrow(
    runtimeOf(target).POST("/_api/test/expression", {
      body: { language, expression: text, condition: isCondition, headers, params: textsOf(params), ...content },
      signal,
    }),
  );
}

/** A record does not say whether a text came as JSON: its type of content does. */
function isJson({ headers, body, bodyType }: LastMessage["message"]): boolean {
  const type = Object.entries(headers).find(([name]) => name.toLowerCase() === "content-type")?.[1] ?? "json";
  if (!/^\s*[[{]/.test(body) || (bodyType === "String" && !type.includes("json"))) return false;
  try {
    JSON.parse(body);
    return true;
  } catch {
    return false;
  }
}

function textsOf(params: unknown): Record<string, string> {
  const entries = typeof params === "object" && params !== null ? Object.entries(params) : [];
  return Object.fromEntries(entries.map(([name, value]) => [name, String(value)]));
}
