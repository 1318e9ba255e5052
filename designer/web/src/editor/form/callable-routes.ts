/** Addresses of routes that steps can call by name: of the open flow, and on the runtime of the flows of its group, and shared ones of others. */
import type { FlowTree } from "../../model/index.ts";
import { groupOf } from "../calls/known-flows.ts";

interface DeployedFlow {
  readonly id: string;
  readonly routes: readonly { readonly uri: string }[];
}

/** Without duplicates, those of the open flow first. `flows`: as the runtime has them. */
export function callableRoutes(id: string, { routes }: FlowTree, flows: readonly DeployedFlow[]): readonly string[] {
  const others = flows
    .filter((flow) => flow.id !== id)
    .flatMap((flow) =>
      flow.routes.filter(({ uri }) => groupOf(flow.id) === groupOf(id) || /[?&]shared=true/.test(uri)),
    );
  const own = routes.flatMap(({ trigger }) => addressesOf(trigger?.uri ?? "", /^(direct|seda):/));
  // Queues belong to their flow.
  return [...new Set([...own, ...others.flatMap(({ uri }) => addressesOf(uri, /^direct:/))])];
}

function addressesOf(uri: string, scheme: RegExp): readonly string[] {
  const [address = ""] = uri.split("?", 1);
  return scheme.test(address) ? [address] : [];
}
