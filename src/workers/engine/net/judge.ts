/** Judges connections by the operator's rules for their scheme. */
import type { ConnectionModel } from "../../../shared/connection.ts";
import { connectionRules } from "../../../shared/connections/servers.ts";
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
 * flow uses: their servers are open, but not to calls over HTTP.
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
    const named = operators.closed === true ? [] : [...models()].flatMap(connectionRules);
    const beside = named.length === 0 ? operators : { ...operators, rules: [...operators.rules, ...named] };
    const problems = (asked.length === 0 ? [""] : asked).map((one) =>
      ask(one === httpScheme ? operators : beside, one),
    );
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
