/** Judges connections by the operator's rules for their scheme. */
import { type Egress, egressProblem, egressScheme, hostProblem, httpScheme } from "../../../shared/egress.ts";
import type { Judge } from "./gate.ts";

/**
 * `schemes`: those of the flow's endpoints that open connections, read at each connection. A connection without a
 * scheme has one of these other than HTTP, whose connections always have it.
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
