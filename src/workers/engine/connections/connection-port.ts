/** A thread's requests to open connections. Control answers them, since all threads of all flows share the places. */
import type { ConnectionSecrets, HeldByRun } from "../../../shared/connection.ts";
import type { DatabaseLine } from "./database-line.ts";

export interface ConnectionPort {
  /**
   * Asks for a place of the connection. `slot`: of the run that waits; -1: none does. `held`: the open connections that
   * this run has.
   */
  ask(connection: string, slot: number, held: HeldByRun): PlaceRequest;
}

export interface PlaceRequest {
  /** Resolves when the connection may be opened, with the current secrets; rejects with a FlowException. */
  readonly granted: Promise<ConnectionSecrets>;
  /** To the database, if the connection is an embedded one. */
  readonly database: DatabaseLine;
  opened(): void;
  /** Gives the place back, or withdraws the request. `failure`: why the connection could not be opened, or was lost. */
  close(failure?: string): void;
}
