/** What a pool knows of its clients, and of the runs that wait for one. */
import type { ConnectionModel, ConnectionSecrets } from "../../../shared/connection.ts";
import type { ConnectionDriver } from "./connection.ts";
import type { PlaceRequest } from "./connection-port.ts";

/** What the pool opens clients with. */
export interface InForce<Client> {
  readonly model: ConnectionModel;
  readonly driver: ConnectionDriver<Client>;
  /** Of a connection that the flow itself declares; others come with each place. */
  readonly secrets?: ConnectionSecrets;
}

export interface Opened<Client> {
  readonly client: Client;
  readonly by: InForce<Client>;
  readonly place: PlaceRequest;
  /** Aborted when whoever keeps the client has to give it back. */
  readonly ended: AbortController;
  lost: boolean;
}

export interface Attempt {
  readonly place: PlaceRequest;
  /** true: the client is being opened, and others get it when this one needs it no more. */
  granted: boolean;
}

export interface Waiting<Client> {
  readonly slot: number;
  /** true: its run has a client already. */
  readonly nested: boolean;
  /** The attempt to open a client for it. */
  attempt: Attempt | undefined;
  readonly take: (opened: Opened<Client>) => void;
  readonly fail: (error: unknown) => void;
}
