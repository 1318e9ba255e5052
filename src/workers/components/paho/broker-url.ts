/** Reads the brokers that an endpoint names itself (Paho: MqttConnectOptions.setServerURIs). */
import { readServer } from "../../../shared/connections/servers.ts";

export interface Brokers {
  readonly servers: readonly { readonly host: string; readonly port: number }[];
  /** true: encrypted, with the server's certificate checked. */
  readonly tls: boolean;
}

const ports = { tcp: 1883, ssl: 8883 } as const;

/** Throws an Error that says what to write. */
export function readBrokers(text: string, option: string): Brokers {
  const found = text.split(",").map((url) => readBroker(url.trim(), option));
  const tls = found[0]?.tls === true;
  if (found.some((one) => one.tls !== tls))
    throw new Error(`${option} has brokers with tcp:// and with ssl://: write one of them for all`);
  return { servers: found.map(({ server }) => server), tls };
}

function readBroker(url: string, option: string) {
  const expected = `${option} is a URL such as tcp://broker.example.org:1883, or ssl://broker.example.org:8883`;
  const [, scheme = "", address = ""] = /^([a-z0-9+.-]+):\/\/(.*?)\/?$/i.exec(url) ?? [];
  const lower = scheme.toLowerCase();
  if (lower === "ws" || lower === "wss")
    throw new Error(
      `${option}: MQTT over WebSocket is not spoken; write tcp:// or ssl:// with the broker's port for MQTT`,
    );
  if (lower !== "tcp" && lower !== "ssl") throw new Error(expected);
  const server = readServer(address);
  if (typeof server === "string")
    throw new Error(
      address.includes("@")
        ? `${option}: ${server.replace("(username, passwordRef)", "(userName, password)")}`
        : expected,
    );
  return { server: { host: server.host, port: server.port || ports[lower] }, tls: lower === "ssl" };
}
