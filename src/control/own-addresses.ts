/** Where this runtime listens, as flows would reach it: they call it only where the operator names the port. */
import { networkInterfaces } from "node:os";
import type { Egress, EgressRule } from "../shared/egress.ts";

export interface Listening {
  readonly address: string;
  readonly port: number;
}

/** Of a runtime that listens on all addresses, those that the machine has now. */
export function egressOf(rules: readonly EgressRule[], listening: Listening | undefined): Egress {
  if (listening === undefined) return { rules };
  const { address, port } = listening;
  const all = address === "::" || address === "0.0.0.0";
  return { rules, own: { port, addresses: all ? machineAddresses() : [address] } };
}

function machineAddresses(): string[] {
  const interfaces = Object.values(networkInterfaces()).flatMap((addresses) => addresses ?? []);
  return ["0.0.0.0", "::", ...interfaces.map(({ address }) => address)];
}
