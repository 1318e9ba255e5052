/** Servers, and ways to them. */
import type { LookupAddress } from "node:dns";
import type { ConnectionOptions } from "node:tls";

/** Resolves a name to all its addresses. */
export type Resolve = (host: string) => Promise<readonly LookupAddress[]>;

export interface Server {
  /** The scheme whose rules apply, from `egressScheme`. */
  readonly scheme: string;
  readonly host: string;
  readonly port: number;
  /** Present: the connection is encrypted, and the server's certificate is checked. */
  readonly tls?: TlsWay;
  /** The proxy to go through. Without `tls` the connection is the one to the proxy. */
  readonly through?: ProxyServer;
}

/** `serverName`: what the certificate must name; absent: the host. */
export type TlsWay = Pick<ConnectionOptions, "ALPNProtocols" | "ca" | "cert" | "key"> & {
  readonly serverName?: string;
};

export interface ProxyServer {
  readonly host: string;
  readonly port: number;
  /** The value of Proxy-Authorization. */
  readonly authorization?: string;
}
