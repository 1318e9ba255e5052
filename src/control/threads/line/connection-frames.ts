/** Reads what a thread sends about named connections. Throws for what the protocol does not have. */
import {
  type ConnectionEvent,
  type HeldByRun,
  longestConnectionFailure,
  longestConnectionId,
  mostConnections,
} from "../../../shared/connection.ts";
import type { Frames } from "../../../shared/frame-shape.ts";
import { text, whole } from "../../../shared/frame-values.ts";
import { controlFields } from "../../../shared/frames-to-control.ts";
import { shortened } from "./thread-frames.ts";

const { permit, connection } = controlFields;

export interface PermitFrame {
  readonly id: number;
  /** The run's slot; -1: no run asks. */
  readonly slot: number;
  /** The id in the flow's manifest. */
  readonly connection: string;
  /** The open connections that the run has. */
  readonly held: HeldByRun;
}

export interface ConnectionFrame {
  readonly id: number;
  readonly event: ConnectionEvent;
  readonly failure: string;
}

export function readPermit(frames: Frames, at: number): PermitFrame {
  const held = permit.held(frames, at);
  return {
    id: permit.id(frames, at),
    slot: permit.slot(frames, at),
    connection: idOf(permit.connection(frames, at)),
    held: held === "" ? [] : readHeld(JSON.parse(held)),
  };
}

export function readConnectionEvent(frames: Frames, at: number): ConnectionFrame {
  const failure = connection.failure(frames, at);
  if (failure.length > longestConnectionFailure) throw new Error("a failure of a connection is short");
  return { id: connection.id(frames, at), event: connection.event(frames, at), failure: shortened(failure) };
}

function readHeld(value: unknown): HeldByRun {
  if (!Array.isArray(value) || value.length > mostConnections) throw new Error("a run has a list of connections");
  return value.map((entry: unknown) => {
    if (!Array.isArray(entry) || entry.length !== 2) throw new Error("a run has a number of each connection");
    return [idOf(entry[0]), whole(entry[1], "a number of connections")] as const;
  });
}

function idOf(value: unknown): string {
  const id = text(value, "the id of a connection");
  if (id.length > longestConnectionId) throw new Error("the id of a connection is short");
  return id;
}
