/** Judges connections by the operator's rules for their scheme. */
import type { ConnectionModel } from "../../../shared/connection.ts";
import { rulesWithProxy } from "../../../shared/connections/servers.ts";
import {
  announcedProblem,
  type Egress,
  egressProblem,
  egressScheme,
  hostProblem,
  httpScheme,
} from "../../../shared/egress.ts";
import type { Judge } from "./gate.ts";

/**
 * `schemes`: those of the flow's endpoints that open connections, read at each connection. A connection without a
 * scheme has one of these other than HTTP, whose connections always have it. `models`: the named connections that the
 * flow uses: the servers of those for HTTP are open to calls over HTTP, and the others' to other schemes.
 */
export function judgeOf(
  operators: Egress,
  schemes: ReadonlySet<string>,
  models: () => Iterable<ConnectionModel> = () => [],
): Judge {
  const problem = (
    scheme: string | undefined,
    ask: (egress: Egress, scheme: string) => string | undefined,
  ): string | undefined => {
    const asked = scheme === undefined ? [...schemes].map(egressScheme).filter((one) => one !== httpScheme) : [scheme];
    // Where flows are tested nothing is called that the operator has not named.
    const named = operators.closed === true ? [] : [...models()];
    const problems = (asked.length === 0 ? [""] : asked).map((one) => {
      const rules = named.filter(({ kind }) => (kind === "http") === (one === httpScheme)).flatMap(rulesWithProxy);
      return ask(rules.length === 0 ? operators : { ...operators, rules: [...operators.rules, ...rules] }, one);
    });
    if (problems.includes(undefined)) return undefined;
    const names = scheme === httpScheme ? [] : [...models()].map(({ name }) => `'${name}'`);
    const or =
      names.length === 0
        ? ""
        : `; an address that the server of the connection ${names.join(" or ")} announces is named in its alsoServers`;
    return `${problems[0]}${or}`;
  };
  return {
    host: (scheme, host, port) => problem(scheme, (egress, one) => hostProblem(egress, host, port, one)),
    address: (scheme, host, port, address) =>
      problem(scheme, (egress, one) => egressProblem(egress, host, port, address, one)),
    beside: (port, address) => announcedProblem(operators, port, address),
  };
}
