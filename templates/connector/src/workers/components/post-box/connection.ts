/** The connection of an endpoint. */
import type { Connection } from "../../../../../../src/workers/engine/connections/connection.ts";
import type { EndpointContext } from "../../../../../../src/workers/engine/endpoint-context.ts";
import type { QueueClient } from "../../connectors/post-box/client.ts";
import type { QueueOptions } from "./options.ts";

export type QueueConnection = Connection<QueueClient>;

/** Declares the connection that the endpoint uses. */
export function connectionOf(
  { connection: reference }: QueueOptions,
  context: Pick<EndpointContext, "connection">,
): QueueConnection {
  return context.connection({ kinds: ["post-box"], option: "connection", reference });
}
