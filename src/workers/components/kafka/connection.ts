/** The connection of an endpoint: a named one, or one to brokers that the endpoint names itself. */
import type { KafkaClient } from "../../connectors/kafka/client.ts";
import type { Connection, OwnConnection } from "../../engine/connections/connection.ts";
import { serversIn } from "../../engine/connections/servers-in.ts";
import type { EndpointContext } from "../../engine/endpoint-context.ts";
import { readJaas } from "./jaas.ts";
import type { KafkaOptions } from "./options.ts";
import { refuseProperties } from "./properties.ts";

export type KafkaConnection = Connection<KafkaClient>;

/** The options in which secrets may stand. */
export const kafkaSecrets = {
  brokers: "text",
  saslJaasConfig: "text",
  saslUsername: "text",
  saslPassword: "text",
} as const;

/** Throws an Error for options that contradict each other. */
export function connectionOf(options: KafkaOptions, context: Pick<EndpointContext, "connection">): KafkaConnection {
  refuseProperties(options.additionalProperties);
  const { brokers } = options;
  const isNamed = brokers === undefined || brokers.startsWith("#");
  if (!isNamed) return context.connection({ kinds: ["kafka"], option: "brokers", own: ownOf(options, brokers) });
  const given = Object.entries({
    saslMechanism: options.saslMechanism,
    saslJaasConfig: options.saslJaasConfig,
    saslAuthType: options.saslAuthType === "NONE" ? undefined : options.saslAuthType,
    saslUsername: options.saslUsername,
    saslPassword: options.saslPassword,
    securityProtocol: options.securityProtocol === "PLAINTEXT" ? undefined : options.securityProtocol,
    clientId: options.clientId,
  }).find(([, value]) => value !== undefined);
  if (given !== undefined)
    throw new Error(
      `${given[0]} belongs to brokers of the endpoint's own: write brokers: 'host:port', or leave it out, since the document of a named connection says it`,
    );
  return context.connection({ kinds: ["kafka"], option: "brokers", reference: brokers });
}

function ownOf(options: KafkaOptions, brokers: string): OwnConnection {
  const login = loginOf(options);
  const isEncrypted =
    /SSL/.test(options.securityProtocol) || (isSimple(options) && !options.securityProtocol.startsWith("SASL"));
  return {
    kind: "kafka",
    servers: serversIn(brokers, "kafka1.example.org:9092", 9092),
    username: login?.username,
    password: login?.password,
    ...(isEncrypted && { tls: {} }),
    options: {
      ...(login !== undefined && { saslMechanism: login.mechanism }),
      ...(options.clientId !== undefined && { clientId: options.clientId }),
    },
  };
}

/** As in Camel, saslAuthType encrypts, unless securityProtocol says otherwise. */
function isSimple({ saslAuthType }: KafkaOptions): boolean {
  return saslAuthType !== undefined && saslAuthType !== "NONE";
}

interface OwnLogin {
  readonly mechanism: string;
  readonly username: string;
  readonly password: string;
}

function loginOf(options: KafkaOptions): OwnLogin | undefined {
  const { saslAuthType, saslUsername, saslPassword, saslJaasConfig, saslMechanism, securityProtocol } = options;
  if (saslAuthType !== undefined && saslAuthType !== "NONE") {
    if (!/^PLAIN$|^SCRAM/.test(saslAuthType))
      throw new Error(`saslAuthType ${saslAuthType} is not there: ${instead(saslAuthType)}`);
    if (saslUsername === undefined || saslPassword === undefined)
      throw new Error(`saslAuthType ${saslAuthType} needs saslUsername and saslPassword`);
    return { mechanism: saslAuthType.replaceAll("_", "-"), username: saslUsername, password: saslPassword };
  }
  const isNamed = saslUsername !== undefined || saslPassword !== undefined;
  if (!securityProtocol.startsWith("SASL")) {
    if (saslJaasConfig === undefined && !isNamed) return undefined;
    throw new Error(
      `${isNamed ? "saslUsername" : "saslJaasConfig"} needs securityProtocol: SASL_SSL, or SASL_PLAINTEXT without encryption`,
    );
  }
  if (saslMechanism === undefined || saslMechanism === "GSSAPI")
    throw new Error(
      "GSSAPI, which is Camel's default, is not there: write saslMechanism: PLAIN, SCRAM-SHA-256 or SCRAM-SHA-512",
    );
  if (saslMechanism === "OAUTHBEARER") throw new Error(`saslMechanism OAUTHBEARER: ${instead("OAUTH")}`);
  if (saslUsername !== undefined && saslPassword !== undefined)
    return { mechanism: saslMechanism, username: saslUsername, password: saslPassword };
  if (saslJaasConfig === undefined)
    throw new Error(`saslMechanism ${saslMechanism} needs saslJaasConfig, or write saslAuthType`);
  return { mechanism: saslMechanism, ...readJaas(saslJaasConfig) };
}

function instead(type: string): string {
  if (type === "OAUTH")
    return "name a connection with brokers: '#name', saslMechanism OAUTHBEARER and passwordRef, whose file has the token";
  if (type === "SSL") return "name a connection with brokers: '#name', whose document has tls with certRef and keyRef";
  return "write PLAIN, SCRAM_SHA_256 or SCRAM_SHA_512";
}
