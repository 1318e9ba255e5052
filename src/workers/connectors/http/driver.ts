/** Makes what calls over HTTP use of a connection. Sockets are opened by the calls. */
import type { ConnectionSettings } from "../../../shared/connection.ts";
import { readServer, rulesWithProxy } from "../../../shared/connections/servers.ts";
import { httpScheme } from "../../../shared/egress.ts";
import type { ConnectionDriver } from "../../engine/connections/connection.ts";
import { exceptionMessage, FlowException } from "../../engine/exception.ts";
import { openConnection } from "../../engine/net/connection.ts";
import type { ProxyServer } from "../../engine/net/server.ts";
import { isUntrusted, trustByConnection } from "../../engine/net/trust.ts";
import type { HttpAccess } from "../http-access.ts";

/** How long a trial waits for the server. */
const probeMs = 10_000;

export const driver: ConnectionDriver<HttpAccess> = {
  async open(settings) {
    const { name, kind, revision, servers, alsoServers, options, maxConnections, tls, cert, key } = settings;
    const model = { name, kind, revision, servers, alsoServers, options, maxConnections, ...(tls && { tls }) };
    const proxy = proxyOf(settings);
    return {
      model,
      ...(tls !== undefined && {
        tls: { ...tls, ...(cert !== undefined && { cert }), ...(key !== undefined && { key }) },
      }),
      ...(proxy !== undefined && { proxy }),
      http2: options["http2"] === true,
      closing: new Set(),
    };
  },
  async close({ closing }) {
    await Promise.all([...closing].map((close) => close()));
  },
  async probe({ model, tls, proxy, http2 }) {
    const [server] = model.servers;
    const asked = server ?? proxy;
    if (asked === undefined) throw new Error("the connection names no server and no proxy that a trial could ask");
    const isEncrypted = server !== undefined && (tls !== undefined || server.port === 443);
    const ALPNProtocols = http2 ? ["h2", "http/1.1"] : ["http/1.1"];
    const egress = { rules: rulesWithProxy(model), closed: true };
    const way = {
      scheme: httpScheme,
      host: asked.host,
      port: asked.port,
      ...(isEncrypted && { tls: { ...tls, ALPNProtocols } }),
      ...(server !== undefined && proxy !== undefined && { through: proxy }),
    };
    const socket = await openConnection(egress, way, probeMs).catch((error: unknown) => {
      const reason = exceptionMessage(error);
      const more = isUntrusted(reason) ? trustByConnection : "";
      throw new FlowException("java.io.IOException", `${asked.host}:${asked.port}: ${reason}${more}`, { cause: error });
    });
    const { alpnProtocol, getProtocol } = socket as {
      readonly alpnProtocol?: string | false;
      readonly getProtocol?: () => string | null;
    };
    const agreed = getProtocol?.call(socket) ?? null;
    socket.destroy();
    return { serverVersion: alpnProtocol === "h2" ? "HTTP/2" : "HTTP/1.1", tls: agreed };
  },
};

function proxyOf({ options, username, password }: ConnectionSettings): ProxyServer | undefined {
  const server = readServer(options["proxy"]);
  if (typeof server === "string") return undefined;
  if (username === undefined) return server;
  const credentials = Buffer.from(`${username}:${password ?? ""}`).toString("base64");
  return { ...server, authorization: `Basic ${credentials}` };
}
