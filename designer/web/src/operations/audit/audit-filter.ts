/** The filters of the audit log, as they stand in the address and as the runtime takes them. */
import type { paths } from "../../../../../src/client/openapi.ts";
import type { Schemas } from "../../api/runtime.ts";
import { words } from "../../words.ts";

export type AuditRequest = NonNullable<paths["/_api/audit"]["get"]["parameters"]["query"]>;

type Action = NonNullable<AuditRequest["action"]>;

/** Every action that the runtime records, in words. */
export const actionTexts: Readonly<Record<Action, string>> = words.operations.audit.actions;
export const actions = Object.keys(actionTexts) as readonly Action[];

export const outcomes = ["succeeded", "failed"] as const satisfies readonly AuditRequest["outcome"][];

/** How far back, in hours. */
export const spans = { hour: 1, day: 24, week: 168 } as const;

export interface AuditFilter {
  readonly resource: string;
  readonly action: string;
  readonly outcome: string;
  readonly span: string;
}

export function filterOf({
  resource = "",
  action = "",
  outcome = "",
  span = "",
}: Readonly<Record<string, string>>): AuditFilter {
  return { resource, action, outcome, span };
}

/** `now`: ms since 1970. What an address has and the runtime does not know is left out. */
export function requestOf({ resource, action, outcome, span }: AuditFilter, now: number): AuditRequest {
  const known = actions.find((one) => one === action);
  const ended = outcomes.find((one) => one === outcome);
  const hours = Object.entries(spans).find(([name]) => name === span)?.[1];
  return {
    ...(resource !== "" && { resource }),
    ...(known !== undefined && { action: known }),
    ...(ended !== undefined && { outcome: ended }),
    ...(hours !== undefined && { since: new Date(now - hours * 3_600_000).toISOString() }),
  };
}

/** Who made a call: the person who used a designer, or the beginning of the token's digest. */
export function personOf({ requestId, actor }: Pick<Schemas["AuditEntry"], "requestId" | "actor">): string {
  return /^designer-(.+)-[0-9a-f]{12}$/.exec(requestId ?? "")?.[1] ?? actor;
}
