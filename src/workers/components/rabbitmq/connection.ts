/** The connection of an endpoint: a named one, or one to a server that the endpoint names itself. */
import type { RabbitClient } from "../../connectors/rabbitmq/client.ts";
import type { Connection, OwnConnection } from "../../engine/connections/connection.ts";
import type { EndpointContext } from "../../engine/endpoint-context.ts";

export type RabbitConnection = Connection<RabbitClient>;

/** `own`: the server that the endpoint names. Throws an Error when it names a connection, too. */
export function rabbitConnection(
  reference: string | undefined,
  own: OwnConnection | undefined,
  context: Pick<EndpointContext, "connection">,
): RabbitConnection {
  if (own !== undefined && reference !== undefined)
    throw new Error(
      "connectionFactory names a connection, and the endpoint a server of its own: leave one of them out",
    );
  return context.connection({ kinds: ["rabbitmq"], option: "connectionFactory", reference, own });
}
