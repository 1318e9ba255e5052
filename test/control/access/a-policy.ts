/** A policy by itself, with a clock that tests set, secrets that they change, and callers that they describe. */
import { createHmac, hash } from "node:crypto";
import type { IncomingHttpHeaders } from "node:http";
import type { Caller, Decision, Policy } from "../../../src/control/access/policy.ts";
import { readPolicy } from "../../../src/control/access/reading/read-policy.ts";
import { ReplayCache } from "../../../src/control/access/schemes/hmac.ts";
import { JwksCache } from "../../../src/control/access/schemes/provider-keys.ts";
import type { FlowSecrets } from "../../../src/control/stores/secrets.ts";

/** The time at which all clocks begin. */
export const noon = Date.parse("2026-06-01T12:00:00Z");

export class Clock {
  now = noon;
  readonly read = (): number => this.now;
  /** `iso` as it may stand in a document. */
  at(offsetMs: number): string {
    return new Date(this.now + offsetMs).toISOString();
  }
}

export interface Called {
  readonly headers?: IncomingHttpHeaders;
  readonly method?: string;
  readonly route?: string;
  readonly address?: string;
  readonly deployToken?: boolean;
  readonly body?: string | Uint8Array;
}

export interface PolicyUnderTest {
  readonly policy: Policy;
  readonly clock: Clock;
  readonly secrets: Map<string, string>;
  /** Decides to the end, with the body if the decision waits for it. */
  decide(called?: Called): Promise<Exclude<Decision, { kind: "body" }>>;
  /** `allow shop`, or `deny unauthenticated`. */
  outcome(called?: Called): Promise<string>;
}

export interface Around {
  readonly clock?: Clock;
  readonly secrets?: Readonly<Record<string, string>>;
  readonly jwks?: JwksCache;
  readonly replay?: ReplayCache;
  readonly flowId?: string;
}

export function aPolicy(document: unknown, around: Around = {}): PolicyUnderTest {
  const { clock = new Clock(), flowId = "orders" } = around;
  const secrets = new Map(Object.entries(around.secrets ?? {}));
  const store: FlowSecrets = { read: async (_flowId, name) => secrets.get(name) };
  const jwks = around.jwks ?? new JwksCache({ egress: () => ({ rules: [] }), clock: clock.read });
  const replay = around.replay ?? new ReplayCache({ clock: clock.read });
  const policy = readPolicy(flowId, document, { secrets: store, jwks, replay, clock: clock.read });
  const decide: PolicyUnderTest["decide"] = async (called = {}) => {
    const decision = await policy.decide(aCaller(called));
    if (decision.kind !== "body") return decision;
    const last = decision.decide(Buffer.from(called.body ?? ""));
    if (last.kind === "body") throw new Error("it asks for the body twice");
    return last;
  };
  return {
    policy,
    clock,
    secrets,
    decide,
    async outcome(called) {
      const decision = await decide(called);
      return decision.kind === "allow" ? `allow ${decision.principal.id}` : `deny ${decision.code}`;
    },
  };
}

export function aCaller({ headers = {}, method = "POST", route = "order-in", ...rest }: Called): Caller {
  const { address = "192.0.2.7", deployToken = false } = rest;
  return { method, routeId: route, headers, address, deployToken };
}

export const sha256 = (text: string): string => hash("sha256", text);
export const bearer = (value: string): IncomingHttpHeaders => ({ authorization: `Bearer ${value}` });
export const codes = ({ warnings }: Policy): string[] => [...new Set(warnings.map(({ code }) => code))];

export function mac(key: string | Buffer, content: string | Buffer, encoding: "hex" | "base64" = "hex"): string {
  return createHmac("sha256", key).update(content).digest(encoding);
}
