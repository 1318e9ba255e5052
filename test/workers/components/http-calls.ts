/** Routes that call a server on loopback, which they may. */
import type { Egress } from "../../../src/shared/egress.ts";
import { type RouteOptions, type RouteOutcome, runSteps } from "../../support/run-route.ts";

export const loopback: Egress = { rules: [{ kind: "net", address: "127.0.0.1", bits: 32 }] };

/** Runs `to: <uri>` with these parameters. */
export function callTo(
  uri: string,
  options: RouteOptions = {},
  parameters: Readonly<Record<string, unknown>> = {},
): Promise<RouteOutcome> {
  const step = { to: { uri, parameters } };
  return runSteps(`- ${JSON.stringify(step)}`, { egress: loopback, ...options });
}

export function headersOf({ exchange }: RouteOutcome): Record<string, unknown> {
  return Object.fromEntries(exchange.message.headers.entries());
}
