/** A flow that tells in its answer who answered its two outbound steps, and one of whose routes keeps its thread busy until it is killed. */
import { direct, webhook } from "../../support/flows.ts";

export const flowId = "orders";
export const kinds = ["a", "b"] as const;
export type Kind = (typeof kinds)[number];

/** What is mocked: a step by its id, or an endpoint by a pattern. */
export const crmTargets = [{ stepId: "to-crm" }, { uri: "direct:crm" }] as const;
export const erpTargets = [{ stepId: "to-erp" }, { uri: "direct:er*" }] as const;
export type Target = (typeof crmTargets | typeof erpTargets)[number];

/** As `callCounts` names it. */
export function nameOf(target: Target): string {
  return "stepId" in target ? target.stepId : target.uri;
}

/** So that a thread that does not yield is killed soon, and a stuck run is told from a slow one. */
export const flowLimits = { threads: 2, webhookWallMs: 2500, scriptMs: 20_000 };

export function mockedFlow(version: number): string {
  const asking = (step: string, name: string): string =>
    `doTry: { steps: [{ to: { id: ${step}, uri: "direct:${name}" } }], doCatch: [{ exception: [java.lang.Exception], steps: [{ setBody: { simple: "\${exception.message}" } }] }] }`;
  return [
    webhook(
      "orders",
      asking("to-crm", "crm"),
      'setVariable: { name: crm, simple: "${body}" }',
      asking("to-erp", "erp"),
      `setBody: { simple: "v${version}|\${variable.crm}|\${body}" }`,
    ),
    webhook("spin", 'script: { js: "for (;;);" }'),
    direct("crm", "crm", 'delay: { constant: "2" }', 'setBody: { constant: "real" }'),
    direct("erp", "erp", 'setBody: { constant: "real" }'),
  ].join("");
}

/** Who answered a step: the flow itself, the action of a mock, or a mock that had no use left. */
export type Source =
  | "real"
  | "exhausted"
  | { readonly session: number; readonly mock: number; readonly action: number };

/** What a mock answers or throws, so that its session and the action can be told. */
export function marker(session: number, mock: number, action: number): string {
  return `s${session}m${mock}a${action}`;
}

export interface Told {
  readonly version: number;
  /** Of `to-crm` and `to-erp`. */
  readonly sources: readonly [Source, Source];
}

/** Throws when it is no answer of this flow. */
export function readAnswer(body: string): Told {
  const [version = "", crm = "", erp = "", ...more] = body.split("|");
  if (!/^v\d+$/.test(version) || more.length > 0) throw new Error(`an answer that is none of the flow: ${body}`);
  return { version: Number(version.slice(1)), sources: [sourceOf(crm), sourceOf(erp)] };
}

function sourceOf(text: string): Source {
  if (text === "real") return "real";
  if (/^mock \d+ of the test session has no use left/.test(text)) return "exhausted";
  const [, session, mock, action] = /^s(\d+)m(\d+)a(\d+)$/.exec(text) ?? [];
  if (session === undefined) throw new Error(`an answer that nobody gives: ${text}`);
  return { session: Number(session), mock: Number(mock), action: Number(action) };
}
