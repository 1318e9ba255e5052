/** Judges connections by the operator's rules, each for the scheme that opens it. */
import { type Egress, egressProblem, egressScheme, hostProblem, httpScheme } from "../../../shared/egress.ts";
import type { Judge } from "./gate.ts";

/**
 * `schemes`: of the flow's endpoints that open connections; read at each connection. A connection that says no scheme is of one of
 * these other than HTTP, whose own always say it.
 */
export function judgeOf(egress: Egress, schemes: ReadonlySet<string>): Judge {
  const problem = (scheme: string | undefined, ask: (scheme: string) => string | undefined): string | undefined => {
    const asked = scheme === undefined ? [...schemes].map(egressScheme).filter((one) => one !== httpScheme) : [scheme];
    const problems = (asked.length === 0 ? [""] : asked).map(ask);
    return problems.includes(undefined) ? undefined : problems[0];
  };
  return {
    host: (scheme, host, port) => problem(scheme, (one) => hostProblem(egress, host, port, one)),
    address: (scheme, host, port, address) => problem(scheme, (one) => egressProblem(egress, host, port, address, one)),
  };
}
