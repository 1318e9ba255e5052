/** Makes policies of documents. A part that is not understood permits nothing, or closes the whole flow. */
import { expect, type Fields, isFields, readOwn, whole } from "../../../shared/document-fields.ts";
import type { Path } from "../../../shared/document-place.ts";
import type { FlowSecrets } from "../../stores/secrets.ts";
import { FlowPolicy, type PolicyFacts } from "../flow-policy.ts";
import type { PolicyReader } from "../planned-policy.ts";
import type { Policy, PolicyLimits, RateLimit } from "../policy.ts";
import { noPrincipals, type Principals } from "../principals.ts";
import type { Rule } from "../rules.ts";
import { type ReplayCache, SecretValues } from "../schemes/hmac.ts";
import type { JwksCache } from "../schemes/provider-keys.ts";
import { clearKey, hashKeys, maskPolicy } from "./kept-document.ts";
import { readCors } from "./read-cors.ts";
import { principalNames, readPrincipals } from "./read-principals.ts";
import { readRules } from "./read-rules.ts";
import { anything, policyFields, Reading } from "./reading.ts";

export interface PolicySources {
  readonly secrets: FlowSecrets;
  readonly jwks: JwksCache;
  readonly replay: ReplayCache;
  /** Milliseconds since 1970. */
  readonly clock?: () => number;
}

/** A policy needs at least one of these fields, which decide who may call. */
const deciding = ["principals", "apiKeys", "rules", "roles", "allow", "anonymous", "public"] as const;
const others = ["mode", "default", "rateLimit", "concurrency", "cors"] as const;
/** Fields that have no effect on calls. */
const remarks = ["version", "name", "id", "flowId", "$schema"] as const;
const policy = policyFields(Object.fromEntries([...deciding, ...others, ...remarks].map((name) => [name, anything])));

/** Makes the reader of this runtime's policies, with its secrets, its providers' keys, and its memory of deliveries. */
export function createPolicyReader(sources: PolicySources): PolicyReader {
  return {
    hashKeys: (document) => hashKeys(document).document,
    read: (flowId, document) => readPolicy(flowId, document, sources),
    broken: (problem) => brokenPolicy(problem, sources),
    clearKey,
    names: principalNames,
    mask: maskPolicy,
  };
}

/** Reads a document, as JSON.parse returns it. Never throws. */
export function readPolicy(flowId: string, document: unknown, sources: PolicySources): Policy {
  const reading = new Reading();
  const { clock = Date.now, jwks, replay } = sources;
  const facts = readFacts(document, reading);
  const secrets = new SecretValues(sources.secrets, flowId, clock);
  return new FlowPolicy({ ...facts, warnings: reading.warnings }, { flowId, secrets, jwks, replay, clock });
}

/** The policy in place of a document that cannot be read: it lets only the deploy token in. */
export function brokenPolicy(problem: string, sources: PolicySources): Policy {
  const warnings = [{ code: "policy_unavailable", message: `the policy cannot be read: ${problem}`, pointer: "" }];
  const { clock = Date.now, jwks, replay } = sources;
  const secrets = new SecretValues(sources.secrets, "", clock);
  const facts = { ...closedFor("policy_unavailable", `the policy cannot be read: ${problem}`), warnings };
  return new FlowPolicy(facts, { flowId: "", secrets, jwks, replay, clock });
}

type Facts = Omit<PolicyFacts, "warnings">;

function closedFor(code: "forbidden" | "policy_unavailable", reason: string): Facts {
  return {
    mode: "enforce",
    closed: { code, reason },
    ...noLimits,
    cors: undefined,
    principals: noPrincipals,
    rules: [],
  };
}

function readFacts(document: unknown, reading: Reading): Facts {
  const why = isFields(document) ? notUnderstood(document, reading) : "it is no object";
  const notRead = why === undefined ? undefined : `the policy is not understood: ${why}`;
  if (!isFields(document) || notRead !== undefined) {
    reading.warn("policy_not_understood", [], `${why}, so only the deploy token gets in`);
    return closedFor("forbidden", notRead ?? "");
  }
  const { short, ...principals } = readPrincipals(document, reading);
  const rules = readRules(document, reading, short);
  const limits = readLimits(document, reading);
  const cors = readCors(document, reading);
  if (limits === undefined) {
    reading.warn("policy_not_understood", [], "its limits are not understood, so only the deploy token gets in");
    return { ...closedFor("forbidden", "the policy's limits are not understood"), cors };
  }
  warnOfNobody(principals, rules, reading);
  return {
    mode: readOwn(document, "mode") === "report" ? "report" : "enforce",
    closed: undefined,
    ...limits,
    cors,
    principals,
    rules,
  };
}

function notUnderstood(document: Fields, reading: Reading): string | undefined {
  if (reading.read(policy, document, [], "only the deploy token gets in") === undefined)
    return "it has fields that are not known, which may restrict what the others allow";
  if (!deciding.some((name) => readOwn(document, name) !== undefined)) {
    return `none of ${deciding.join(", ")} says who may call; {"public": true} lets everybody in`;
  }
  const mode = readOwn(document, "mode") ?? "enforce";
  if (mode !== "enforce" && mode !== "report") return "its mode is neither enforce nor report";
  return (readOwn(document, "default") ?? "deny") === "deny"
    ? undefined
    : "its default is not deny, and there is no other";
}

/** Warns of a name or a role that nobody has: it is usually a mistake, and lets nobody in. */
function warnOfNobody(principals: Principals, rules: readonly Rule[], reading: Reading): void {
  const { apiKeys, hmacs, jwts, names } = principals;
  const all = [...apiKeys, ...hmacs, ...jwts];
  const roles = new Set(all.flatMap((one) => one.roles));
  const nobody = "the rule means nobody by it";
  const brings = jwts.some(({ rolesClaim }) => rolesClaim !== undefined);
  const place = ({ label }: Rule): Path => (typeof label === "number" ? ["rules", label] : [label]);
  for (const rule of rules) {
    const unknown = [...(rule.principals ?? [])].filter((name) => name !== "*" && !names.has(name.split(":")[0] ?? ""));
    const unheld = brings ? [] : [...(rule.roles ?? [])].filter((role) => !roles.has(role));
    const quoted = (list: readonly string[]): string =>
      list
        .slice(0, 10)
        .map((one) => `'${one.slice(0, 100)}'`)
        .join(", ");
    if (unknown.length > 0)
      reading.warn("no_principals", place(rule), `no principal is named ${quoted(unknown)}: ${nobody}`);
    if (unheld.length > 0)
      reading.warn("no_principals", place(rule), `no principal has the role ${quoted(unheld)}: ${nobody}`);
  }
  const permissions = rules.filter(({ effect }) => effect === "allow");
  const open = permissions.some(({ everybody, doubtful }) => everybody && !doubtful);
  if (permissions.length > 0 && !open && all.length === 0) {
    reading.warn("no_principals", [], "there is no principal that could be let in: only the deploy token gets in");
  }
  if (permissions.length === 0 && all.length > 0) {
    reading.warn("no_rules", [], "no rule allows anything to its principals: only the deploy token gets in");
  }
}

const limitsEffect = "the policy lets only the deploy token in";
const mostRps = 1_000_000;
const mostInflight = 100_000;

const noLimits: PolicyLimits = { perPrincipal: undefined, perAddress: undefined, maxInflight: undefined };

/** `burst`: the calls that may come at once; if left out, those of one second. */
const rate = policyFields(
  {
    rps: expect<number>(
      `calls a second, above 0 and up to ${mostRps}, are`,
      (value) => typeof value === "number" && value > 0 && value <= mostRps,
    ),
    burst: whole(1, mostRps).nullish(),
  },
  { expected: () => '{"rps": 100, "burst": 200} is expected' },
).transform(({ rps, burst }): RateLimit => ({ rps, burst: burst ?? Math.ceil(rps) }));

const rateLimit = policyFields({ perPrincipal: rate.optional(), perAddress: rate.optional() });
const concurrency = policyFields({ maxInflight: whole(1, mostInflight).optional() });

/**
 * Reads `rateLimit` and `concurrency`; undefined: some of it is not understood. It is not left out, which would mean no
 * limit at all.
 */
function readLimits(document: Fields, reading: Reading): PolicyLimits | undefined {
  const rates = reading.read(rateLimit, readOwn(document, "rateLimit") ?? {}, ["rateLimit"], limitsEffect);
  const calls = reading.read(concurrency, readOwn(document, "concurrency") ?? {}, ["concurrency"], limitsEffect);
  if (rates === undefined || calls === undefined) return undefined;
  return { perPrincipal: rates.perPrincipal, perAddress: rates.perAddress, maxInflight: calls.maxInflight };
}
