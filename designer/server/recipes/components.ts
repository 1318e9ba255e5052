/** The components that a flow's endpoints are of. */
import type { Options } from "../../shared/wire.ts";
import { allSteps, type FlowTree } from "../../web/src/model/index.ts";

/** Steps whose address is an expression. */
const computed = new Set(["enrich", "pollEnrich", "toD"]);

/**
 * In alphabetical order, without `direct`, which stays inside of the flow. `params`: values for addresses that begin with a placeholder;
 * an address that only a message gives is left out.
 */
export function componentsOf(flow: FlowTree, params: Options): readonly string[] {
  const addresses = [
    ...flow.routes.map(({ trigger }) => trigger?.uri),
    ...allSteps(flow).map(({ uri, name, brief }) => uri ?? (computed.has(name) ? brief : undefined)),
    ...flow.others.map(({ name, uri }) => (name === "rest" ? name : uri)),
  ];
  const schemes = addresses.flatMap((address) => schemeOf(address ?? "", params) ?? []);
  return [...new Set(schemes)].filter((scheme) => scheme !== "direct").sort();
}

function schemeOf(address: string, params: Options): string | undefined {
  const text = address.replace(/^\{\{([^:{}]+)(?::([^{}]*))?\}\}/, (_, name: string, usual = "") =>
    String(params[name] ?? usual),
  );
  const [scheme] = /^[a-z][\w.+-]*(?=$|[:?])/i.exec(text) ?? [];
  // It is one component, whatever the address has.
  return scheme === "https" ? "http" : scheme;
}
