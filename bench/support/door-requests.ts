/** Kinds of requests as their bytes: what a caller can send to the one port, with and without the deploy token. */
import { createHmac } from "node:crypto";
import { jwt, seconds, tokenKey } from "../../test/support/credentials.ts";
import { token } from "./server-process.ts";

export interface Kind {
  readonly name: string;
  readonly bytes: Buffer;
  /** The status of the answer. */
  readonly expect: number;
  /** true: the server closes the connection with its answer, so each request has one of its own. */
  readonly closes?: true;
  /** true: the answer has no end; the caller leaves at its first event. */
  readonly streams?: true;
}

export const apiKey = "an-api-key-of-a-bench-with-more-than-32-characters";
export const hookSecret = "a-secret-of-a-bench-with-more-than-32-characters";
const idp = tokenKey("one");
/** Of callers with tokens. */
export const idpPolicy = {
  principals: {
    idp: {
      type: "jwt",
      issuer: "https://idp.example/",
      audience: "flows",
      jwks: { keys: [idp.jwk] },
      algorithms: ["ES256"],
    },
  },
  rules: [{ allow: ["invoke"], principals: ["idp"] }],
};
const claims = { iss: "https://idp.example/", aud: "flows", sub: "alice", exp: seconds(3600) };
const withToken = (text: string): string => `Authorization: Bearer ${text}`;
const bearer = `Authorization: Bearer ${token}`;
const json = "Content-Type: application/json";
const order = JSON.stringify({ orderNo: "17", customer: { name: "Ada", city: "London" } });

function request(line: string, headers: readonly string[] = [], body?: string): Buffer {
  const length = body === undefined ? [] : [`Content-Length: ${Buffer.byteLength(body)}`];
  return Buffer.from(
    `${[`${line} HTTP/1.1`, "Host: localhost", ...headers, ...length].join("\r\n")}\r\n\r\n${body ?? ""}`,
  );
}

function chunked(line: string, chunks: readonly string[], extension = ""): Buffer {
  const body = chunks.map((chunk) => `${chunk.length.toString(16)}${extension}\r\n${chunk}\r\n`).join("");
  return Buffer.concat([request(line, ["Transfer-Encoding: chunked"]), Buffer.from(`${body}0\r\n\r\n`)]);
}

const many = (count: number, one: (i: number) => string): string[] => Array.from({ length: count }, (_, i) => one(i));
const large = "x".repeat(1024 * 1024);
const signature = (body: string): string =>
  `X-Hub-Signature-256: sha256=${createHmac("sha256", hookSecret).update(body).digest("hex")}`;

/** `open`, `keyed`, `signed`, `tokens`: webhooks without a policy, with keys, with signatures, with tokens; `/orders/{id}`: a route with a path of its own. */
export const kinds: readonly Kind[] = [
  { name: "health", bytes: request("GET /_api/health"), expect: 200 },
  { name: "health, probe=ready", bytes: request("GET /_api/health?probe=ready"), expect: 200 },
  { name: "health, a bad probe", bytes: request("GET /_api/health?probe=x"), expect: 400 },
  { name: "health with the token", bytes: request("GET /_api/health", [bearer]), expect: 200 },
  { name: "management without a token", bytes: request("GET /_api/flows"), expect: 401 },
  {
    name: "management, a wrong token of 8 KB",
    bytes: request("GET /_api/flows", [`Authorization: Bearer ${"x".repeat(8000)}`]),
    expect: 401,
  },
  {
    name: "PUT of a flow without a token",
    bytes: request("PUT /_api/flows/x", ["Content-Type: application/yaml"], ""),
    expect: 401,
  },
  { name: "no such path", bytes: request("GET /nothing/here"), expect: 404 },
  { name: "no such webhook", bytes: request("POST /api/nothing", [], ""), expect: 404 },
  { name: "no such path, 1000 segments", bytes: request(`GET ${"/a".repeat(1000)}`), expect: 404 },
  { name: "no such path, 12 KB long", bytes: request(`GET /${"a".repeat(12_000)}`), expect: 404 },
  { name: "no such path, 4000 escapes", bytes: request(`GET /${"%C3%A4".repeat(2000)}`), expect: 404 },
  { name: "a miss beside a template", bytes: request("GET /orders/1/2/3"), expect: 404 },
  { name: "a webhook with GET", bytes: request("GET /api/open"), expect: 405 },
  { name: "a webhook with OPTIONS", bytes: request("OPTIONS /api/open"), expect: 405 },
  { name: "a bad Host", bytes: Buffer.from("GET / HTTP/1.1\r\nHost: a b\r\n\r\n"), expect: 400, closes: true },
  { name: "no HTTP", bytes: Buffer.from("rubbish\r\n\r\n"), expect: 400, closes: true },
  { name: "a bad target", bytes: request("GET /a//b"), expect: 400 },
  { name: "an unknown Expect", bytes: request("POST /api/open", ["Expect: x"], ""), expect: 417 },
  { name: "an upgrade", bytes: request("GET /x", ["Connection: upgrade", "Upgrade: websocket"]), expect: 404 },
  { name: "a webhook", bytes: request("POST /api/open", [json], order), expect: 200 },
  { name: "a webhook, 1 MB", bytes: request("POST /api/open", ["Content-Type: text/plain"], large), expect: 200 },
  { name: "a webhook, bad JSON", bytes: request("POST /api/parsing", [json], "{"), expect: 400 },
  {
    name: "a webhook, 90 headers",
    bytes: request(
      "POST /api/open",
      many(90, (i) => `X-H${i}: v${i}`),
      "",
    ),
    expect: 200,
  },
  {
    name: "a webhook, 150 query parameters",
    bytes: request(`POST /api/open?${many(150, (i) => `p${i}=1`).join("&")}`, [], ""),
    expect: 200,
  },
  {
    name: "a webhook, cookies of 12 KB",
    bytes: request("POST /api/open", [`Cookie: ${many(1200, (i) => `c${i}=1`).join("; ")}`], ""),
    expect: 200,
  },
  {
    name: "a webhook, 16 000 chunks of 1 byte",
    bytes: chunked(
      "POST /api/open",
      many(16_000, () => "x"),
    ),
    expect: 200,
  },
  {
    name: "a webhook, 1000 chunks with extensions",
    bytes: chunked(
      "POST /api/open",
      many(1000, () => "x"),
      `;${"e".repeat(8)}`,
    ),
    expect: 200,
  },
  { name: "a key that is right", bytes: request("POST /api/keyed", [`X-API-Key: ${apiKey}`], ""), expect: 200 },
  { name: "no key", bytes: request("POST /api/keyed", [], ""), expect: 401 },
  {
    name: "a signature that is right, delivered before, 512 KB",
    bytes: request(
      "POST /api/signed",
      ["X-GitHub-Delivery: 1", signature(large.slice(0, 524_288))],
      large.slice(0, 524_288),
    ),
    expect: 401,
  },
  {
    name: "no signature, 512 KB",
    bytes: request("POST /api/signed", [], large.slice(0, 524_288)),
    expect: 401,
  },
  { name: "a token that is right", bytes: request("POST /api/tokens", [withToken(jwt(idp, claims))], ""), expect: 200 },
  {
    name: "a token with a bad signature",
    bytes: request("POST /api/tokens", [withToken(jwt({ ...tokenKey("other"), kid: "one" }, claims))], ""),
    expect: 401,
  },
  {
    name: "a token of an unknown key",
    bytes: request("POST /api/tokens", [withToken(jwt(tokenKey("two"), claims))], ""),
    expect: 401,
  },
  {
    name: "a webhook that filters 90 headers by a regular expression",
    bytes: request(
      "POST /api/filtering",
      many(90, (i) => `X-H${i}: v${i}`),
      "",
    ),
    expect: 200,
  },
  { name: "an Idempotency-Key", bytes: request("POST /api/open", ["Idempotency-Key: one", json], order), expect: 200 },
  { name: "GET of a template", bytes: request("GET /orders/17"), expect: 200 },
  { name: "the schema of flows", bytes: request("GET /_api/flow-schema.json", [bearer]), expect: 200 },
  { name: "the OpenAPI document", bytes: request("GET /_api/openapi.json", [bearer]), expect: 200 },
  { name: "the list of flows", bytes: request("GET /_api/flows", [bearer]), expect: 200 },
  { name: "metrics", bytes: request("GET /_api/metrics", [bearer]), expect: 200 },
  {
    name: "a stream of logs, opened and left",
    bytes: request("GET /_api/logs/stream", [bearer]),
    expect: 200,
    streams: true,
  },
  { name: "a management body that is no JSON", bytes: request("PUT /_api/flows/x", [bearer, json], "{"), expect: 400 },
  {
    name: "a value mapping of 10 000 rows",
    bytes: request(
      "PUT /_api/value-mappings/m",
      [bearer, json],
      JSON.stringify({
        entries: Object.fromEntries(many(10_000, (i) => `key ${i}`).map((key) => [key, key])),
      }),
    ),
    expect: 200,
  },
];
