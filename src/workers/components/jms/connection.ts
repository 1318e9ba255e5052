/** The connection of an endpoint: a named one, a ConnectionFactory bean, or one to a broker that the endpoint names itself. */
import type { AmqpClient } from "../../connectors/amqp-client.ts";
import { readBrokerUrl } from "../../engine/connections/broker-url.ts";
import type { Connection, OwnConnection } from "../../engine/connections/connection.ts";
import { connectionOfBean } from "../../engine/connections/described-connections.ts";
import type { EndpointContext } from "../../engine/endpoint-context.ts";
import type { JmsOptions } from "./options.ts";

export type JmsConnection = Connection<AmqpClient>;

const kinds = ["amqp"] as const;

type ConnectionOptions = Pick<JmsOptions, "connectionFactory" | "brokerURL" | "username" | "password" | "clientId">;

/** Throws an Error for options that contradict each other. */
export function connectionOf(
  options: ConnectionOptions,
  context: Pick<EndpointContext, "connection" | "bean">,
): JmsConnection {
  const { connectionFactory, clientId } = options;
  const own = ownOf(options, context);
  return context.connection({
    kinds,
    option: "connectionFactory",
    reference: own === undefined ? connectionFactory : undefined,
    own,
    ...(clientId !== undefined && { session: { clientId } }),
  });
}

function ownOf(
  { connectionFactory, brokerURL, username, password }: ConnectionOptions,
  { bean }: Pick<EndpointContext, "bean">,
): OwnConnection | undefined {
  if (brokerURL !== undefined && connectionFactory !== undefined)
    throw new Error("connectionFactory names a connection, and brokerURL a broker of its own: leave one of them out");
  const login = { ...(username !== undefined && { username }), ...(password !== undefined && { password }) };
  if (brokerURL !== undefined) {
    const broker = readBrokerUrl(brokerURL);
    if (typeof broker === "string") throw new Error(`brokerURL ${broker}`);
    return { ...broker, ...login };
  }
  if (username === undefined && password === undefined) return undefined;
  const described = connectionFactory === undefined ? undefined : bean(connectionFactory);
  const own = described === undefined ? undefined : connectionOfBean(described, bean);
  if (own !== undefined) return { ...own, ...login };
  throw new Error(
    "a named connection has its user and password itself: leave them out here, or write brokerURL in place of the connection",
  );
}
