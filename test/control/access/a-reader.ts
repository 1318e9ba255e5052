/** A reader of policies for tests that do not depend on their content. */
import type { PolicyReader } from "../../../src/control/access/planned-policy.ts";
import type { Policy } from "../../../src/control/access/policy.ts";

function aPolicy(understood: boolean): Policy {
  return {
    mode: "enforce",
    understood,
    warnings: understood ? [] : [{ code: "policy_not_understood", message: "no label" }],
    perPrincipal: undefined,
    perAddress: undefined,
    maxInflight: undefined,
    cors: undefined,
    credentialHeaders: new Set(),
    decide: () => ({ kind: "allow", principal: { id: "shop", type: "apiKey", roles: [] } }),
  };
}

/** Reads `{"label": ...}`, and hashes `key` to `sha256`. */
export const aReader: PolicyReader = {
  hashKeys: ({ key, ...rest }) => (key === undefined ? rest : { ...rest, sha256: `hash of ${String(key)}` }),
  read: (_flowId, { label }) => aPolicy(label !== undefined),
  broken: () => aPolicy(false),
  clearKey: () => undefined,
  names: ({ label }) => [String(label)],
  mask: (document) => document,
};
