/** The firewall: what a caller may put into a message's headers. The flow answers with all headers that it sees. */
import { bearer, type Case, type Group, lastRequest } from "../case.ts";

/** Names that steer Camel's components, or the runtime. None may bring its value to the flow. */
const control = [
  "CamelHttpResponseCode",
  "CamelHttpUri",
  "camelhttpuri",
  "CAmelExecCommandExecutable",
  "CAMEL",
  "org.apache.camel.x",
  "ORG.apache.CAMEL.y",
];
const ofTheDoor = ["Proxy-Authorization", "Keep-Alive", "TE", "Upgrade"];

const asHeader = [...control, ...ofTheDoor].map(
  (name): Case => ({
    name: `${name} as a header`,
    method: "POST",
    path: "/api/headers",
    bytes: lastRequest("POST /api/headers", [`${name}: injected`, "Content-Length: 0"]),
    status: 200,
    not: /injected/,
  }),
);

const asParameter = [...control, "%43amelHttpUri", "c%61melX", "camel%00x"].map(
  (name): Case => ({
    name: `${name} as a query parameter`,
    method: "POST",
    path: `/api/headers?${name}=injected`,
    headers: { authorization: null },
    status: 200,
    // The query as it was sent is told in CamelHttpQuery and CamelHttpUri.
    not: /(?<!=)injected/,
  }),
);

export const headers: Group = {
  group: "headers of a message",
  cases: [
    ...asHeader,
    ...asParameter,
    {
      name: "a test session that there is not",
      method: "POST",
      path: "/api/headers",
      bytes: lastRequest("POST /api/headers", ["X-Test-Session: injected", "Content-Length: 0"]),
      status: 409,
      code: "session_closed",
    },
    {
      name: "a control name as a field of a form",
      method: "POST",
      path: "/api/headers",
      headers: { "content-type": "application/x-www-form-urlencoded" },
      body: "CamelHttpUri=injected&org.apache.camel.x=injected",
      status: 200,
      not: /injected/,
    },
    {
      name: "the deploy token",
      bytes: lastRequest("POST /api/headers", [bearer, "Content-Length: 0"]),
      status: 200,
      not: /a-token-for/,
    },
    {
      name: "the deploy token under another scheme",
      bytes: lastRequest("POST /api/headers", ["Authorization: Token TOKEN", "Content-Length: 0"]),
      status: 200,
      not: /a-token-for/,
    },
    {
      name: "the deploy token in the second of two headers",
      bytes: lastRequest("POST /api/headers", ["Authorization: Basic eA==", bearer, "Content-Length: 0"]),
      status: 200,
      not: /a-token-for/,
    },
    {
      name: "__proto__ is a name like others",
      method: "POST",
      path: "/api/headers?__proto__=x&constructor=y",
      status: 200,
      says: /constructor/,
    },
    {
      name: "line ends in a query parameter do not make a header",
      method: "POST",
      path: "/api/headers?a=b%0d%0ax-made%3A%201&c%0aCamelX=1",
      status: 200,
      not: /"x-made"|CamelX"/i,
    },
    {
      name: "a forwarded address is a header like others",
      method: "POST",
      path: "/api/headers",
      headers: { "x-forwarded-for": "10.0.0.1" },
      status: 200,
      says: /10\.0\.0\.1/,
    },
    {
      name: "Latin-1",
      bytes: lastRequest("POST /api/headers", ["X-Latin: caf\xe9", "Content-Length: 0"]),
      status: 200,
      says: /caf/,
    },
    {
      name: "a request id that is not fit to be given back",
      method: "GET",
      path: "/_api/limits",
      headers: { "x-request-id": "a b<script>" },
      status: 200,
      header: ["x-request-id", /^[0-9a-f]{16}$/],
    },
    {
      name: "a request id of 1000 characters",
      method: "POST",
      path: "/api/nobody",
      headers: { "x-request-id": "a".repeat(1000) },
      status: 404,
      code: "not_found",
      header: ["x-request-id", /^[0-9a-f]{16}$/],
    },
  ],
};
