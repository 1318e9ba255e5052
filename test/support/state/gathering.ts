/** A flow that gathers messages with `aggregate`. */
import assert from "node:assert/strict";
import type { TestApp } from "../start-app.ts";

export interface Options {
  /** Of the step, beside its key, strategy and repository. */
  readonly step?: string;
  readonly steps?: string;
  readonly note?: string;
  /** The class of its repository; absent: it names none. */
  readonly type?: string | undefined;
  readonly id?: string;
  readonly strategy?: string;
}

export const logged =
  '- log: "group ${body} by ${exchangeProperty.CamelAggregatedCompletedBy} ${header.CamelRedelivered}"';

/** Returns a flow whose webhook `in` joins messages by their header `key`. */
export function gathering({
  step = "completionSize: 3",
  steps = logged,
  note = "",
  type,
  id = "gather",
  strategy = "GroupedBodyAggregationStrategy",
}: Options = {}): string {
  const beans =
    type &&
    `- beans:
    - name: kept
      type: org.apache.camel.processor.aggregate.${type}
`;
  return `${beans ?? ""}- route:
    id: in
    from:
      uri: webhook
      steps:
        - aggregate:
            ${id && `id: ${id}`}
            correlationExpression: { header: key }
            aggregationStrategy: "#class:org.apache.camel.processor.aggregate.${strategy}"
            ${type ? "aggregationRepository: kept" : ""}
            ${step}
            steps:
              ${steps}
        - setBody: { constant: "joined${note}" }
`;
}

/** Deploys it as shop.orders. Resolves with the warnings. */
export async function put(app: TestApp, yaml: string): Promise<readonly { code: string }[]> {
  const response = await app.put("shop.orders", yaml);
  const body = (await response.json()) as { error?: string; warnings: { code: string }[] };
  assert.ok(response.ok, body.error ?? "");
  return body.warnings;
}

/** Resolves with the answer, with its status in front unless it is 200. */
export async function send(app: TestApp, body: string, key = "k"): Promise<string> {
  const response = await app.post("/api/in", body, { key });
  return response.ok ? await response.text() : `${response.status} ${await response.text()}`;
}

/** What complete groups have logged. */
export const groups = ({ logs }: TestApp): string[] =>
  logs.map(({ message }) => message).filter((message) => message.startsWith("group "));

/** Resolves with kind, name, step and number of groups of each repository. */
export async function state(app: TestApp): Promise<unknown[]> {
  const listed = (await (await app.api("/flows/shop.orders/state")).json()) as Record<string, unknown>[];
  return listed.map(({ kind, name, stepId, keys }) => [kind, name, stepId, keys]);
}
