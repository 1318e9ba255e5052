/** Makes the reader of this runtime's policies, with its secrets, its providers' keys, and its memory of deliveries. */

import type { PolicyReader } from "./policies.ts";
import { hashKeys, maskPolicy } from "./reading/kept-document.ts";
import { brokenPolicy, type PolicySources, readPolicy } from "./reading/read-policy.ts";
import { principalNames } from "./reading/read-principals.ts";

export function createPolicyReader(sources: PolicySources): PolicyReader {
  return {
    hashKeys: (document) => hashKeys(document).document,
    read: (flowId, document) => readPolicy(flowId, document, sources),
    broken: (problem) => brokenPolicy(problem, sources),
    names: principalNames,
    mask: maskPolicy,
  };
}
