import type { ConnectionKind } from "./kind.ts";

const asProxy = 'write "options": {"proxy": "host:port"}, with username and passwordRef of the proxy beside it';
const always = "the server's certificate is always checked: give the authority that has signed it as tls.ca";
const asTls = 'write "tls": {"certRef": "NAME", "keyRef": "NAME", "ca": "-----BEGIN CERTIFICATE-----..."}';

export const http: ConnectionKind = {
  name: "http",
  title: "HTTP servers",
  docs:
    "How `http` and `https` endpoints reach their servers: with a client's certificate, own authorities, over a proxy, or with HTTP/2. " +
    "With `servers` and `alsoServers` an endpoint can call these alone, and they need no rule of EGRESS_ALLOW; without them, what " +
    "flows may call anyway. A document with `tls` is for https alone. `username` and `passwordRef` are for the proxy. " +
    "Each thread of a flow takes one of `maxConnections` while it calls, however many sockets it opens.",
  port: 443,
  isOpen: true,
  fields: ["username", "passwordRef", "tls"],
  required: [],
  options: {
    proxy: {
      type: "server",
      words:
        "The HTTP proxy, as `host:port`. Calls over https go through a tunnel (CONNECT), in which the server's certificate is checked as without a proxy. A name that only the proxy can resolve must be in `servers` or in EGRESS_ALLOW.",
    },
    http2: {
      type: "flag",
      default: false,
      words:
        "Calls over https use HTTP/2 if the server agrees to it (ALPN), many at the same time over one connection; else HTTP/1.1.",
    },
  },
  refused: {
    proxyHost: asProxy,
    proxyPort: asProxy,
    proxyUrl: asProxy,
    httpsProxy: asProxy,
    nonProxyHosts: "an endpoint that does not name this connection calls its server without the proxy: leave it out",
    noProxy: "an endpoint that does not name this connection calls its server without the proxy: leave it out",
    sslContextParameters: asTls,
    keyStore: asTls,
    trustStore: asTls,
    x509HostnameVerifier: always,
    trustAll: always,
    insecure: always,
    allowH2: "write http2",
    timeout: "write connectTimeout and responseTimeout at the endpoint",
  },
  problems({ servers, username, passwordRef, options, tls, default: isDefault }) {
    const { proxy } = options;
    const found: [field: string, problem: string][] = [];
    if (isDefault === true)
      found.push(["default", "endpoints use a connection of this kind only by its name: leave it out"]);
    if (proxy === undefined && (username !== undefined || passwordRef !== undefined))
      found.push([
        username === undefined ? "passwordRef" : "username",
        "it is for the proxy, and the document has none: write options.proxy, or authUsername and authPassword at the endpoint",
      ]);
    if ((username === undefined) !== (passwordRef === undefined))
      found.push(["username", "username and passwordRef belong together: give both"]);
    if (tls?.certRef !== undefined && servers.length === 0)
      found.push(["servers", "it is missing: the client's certificate is shown to these servers alone"]);
    return found;
  },
  schema: {
    properties: { default: { const: false } },
    dependentRequired: { username: ["passwordRef", "options"], passwordRef: ["username", "options"] },
    dependentSchemas: {
      username: { properties: { options: { required: ["proxy"] } } },
      tls: {
        anyOf: [
          { required: ["servers"] },
          { required: ["host"] },
          { properties: { tls: { not: { required: ["certRef"] } } } },
        ],
      },
    },
  },
  maxConnections: 200,
  example:
    '{"kind": "http", "servers": ["api.bank.example:443"], "tls": {"certRef": "BANK_CERT", "keyRef": "BANK_KEY"}, "options": {"http2": true}}',
};
