/** The state of a connection, from its places and the figures of the threads that use it. */
import type { ConnectionUse } from "../../shared/connection.ts";
import { ConnectionFigure, connectionFigure } from "../../shared/figures.ts";
import type { ConnectionState } from "./connection-service.ts";
import type { ConnectionPlaces } from "./places.ts";

/** The state of a connection, for health and metrics. */
export interface NamedState {
  readonly name: string;
  readonly kind: string;
  /** Present: the flow itself describes the connection. */
  readonly flowId?: string;
  readonly state: ConnectionState;
}

/** The figures of each thread that has compiled a flow. */
export type ConnectionFigures = () => Iterable<{
  readonly flowId: string;
  readonly connections: readonly ConnectionUse[];
  readonly figures: Int32Array;
}>;

/** `places`: undefined when nobody has asked for the connection. `isThis`: whether a use means it. */
export function stateOf(
  places: ConnectionPlaces | undefined,
  threads: ConnectionFigures,
  isThis: (flowId: string, use: ConnectionUse) => boolean,
): ConnectionState {
  let idle = 0;
  let waiting = 0;
  for (const { flowId, connections, figures } of threads()) {
    for (const [row, use] of connections.entries()) {
      if (!isThis(flowId, use)) continue;
      idle += figureOf(figures, row, ConnectionFigure.idle);
      waiting += figureOf(figures, row, ConnectionFigure.waiting);
    }
  }
  const { open = 0, errors = 0, failingSince = null, lastError = null } = places ?? {};
  return { status: statusOf(places), open, idle: Math.min(idle, open), waiting, errors, failingSince, lastError };
}

function statusOf(places: ConnectionPlaces | undefined): ConnectionState["status"] {
  if (places?.failingSince !== undefined) return "failing";
  return places?.wasOpen === true ? "ok" : "unknown";
}

function figureOf(figures: Int32Array, row: number, figure: number): number {
  return Math.max(0, Atomics.load(figures, connectionFigure(row) + figure));
}
