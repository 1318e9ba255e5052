/** Calls of webhooks. */
import { type Case, type Group, lastRequest } from "../case.ts";

const json = { "content-type": "application/json" };
const echo = { method: "POST", path: "/api/echo" } as const;
const n8n = '{"files":[{"x":"/etc/passwd"}],"sys":{"a":1},"headers":{"CamelHttpResponseCode":500},"__proto__":{"b":2}}';

const malformed = ["{", " ", "nul", "{'a':1}", '{"a":1} {"b":2}', "\xff", '{"a":\u0001"}', `[1${",1".repeat(9)},]`];

const missing: readonly (readonly [name: string, path: string])[] = [
  ["no route has it", "/api/nobody"],
  ["no id at all", "/api"],
  ["an empty id", "/api/"],
  ["a slash behind a route's id", "/api/echo/"],
  ["more behind a route's id", "/api/echo/x"],
  ["another case", "/api/ECHO"],
  ["a route that begins with a timer", "/api/ticker"],
  ["a route that begins with direct", "/api/callee"],
  ["the id of a flow, not of a route", "/api/other-owner"],
  ["a name that every object has", "/api/constructor-"],
  ["outside of /api", "/echo"],
];

const served: readonly Case[] = [
  { ...echo, name: "text", headers: { "content-type": "text/plain" }, body: "héllo", status: 200, says: /^h/ },
  { ...echo, name: "JSON", headers: json, body: '{"a": 1.0}', status: 200, says: /^\{"a": 1\.0\}$/ },
  { ...echo, name: "JSON of depth 300", headers: json, body: "[".repeat(300) + "]".repeat(300), status: 200 },
  {
    ...echo,
    name: "names that steer other engines stay in the body",
    headers: json,
    body: n8n,
    status: 200,
    says: /"__proto__":\{"b":2\}/,
  },
  {
    ...echo,
    name: "a form",
    headers: { "content-type": "application/x-www-form-urlencoded" },
    body: "a=1&b=2",
    status: 200,
    says: /^a=1&b=2$/,
  },
  {
    ...echo,
    name: "a multipart form",
    headers: { "content-type": "multipart/form-data; boundary=x" },
    body: '--x\r\nContent-Disposition: form-data; name="a"\r\n\r\n1\r\n--x--\r\n',
    status: 200,
  },
  {
    ...echo,
    name: "bytes",
    headers: { "content-type": "application/octet-stream" },
    body: new Uint8Array([0, 255, 254]),
    status: 200,
  },
  {
    ...echo,
    name: "text that is not UTF-8",
    headers: { "content-type": "text/plain" },
    body: new Uint8Array([0xff, 0xfe]),
    status: 200,
  },
  { ...echo, name: "a content type that is none", headers: { "content-type": ";;;" }, body: "x", status: 200 },
  { ...echo, name: "no body", status: 204 },
];

export const webhooks: Group = {
  group: "webhooks",
  cases: [
    ...missing.map(
      ([name, path]): Case => ({ name, method: "POST", path, body: "{}", status: 404, code: "not_found" }),
    ),
    ...["GET", "HEAD", "PUT", "DELETE", "PATCH", "OPTIONS"].map(
      (method): Case => ({
        name: `${method} of a webhook`,
        method,
        path: "/api/echo",
        status: 405,
        code: "method_not_allowed",
        header: ["allow", /^POST$/],
      }),
    ),
    ...malformed.map(
      (body): Case => ({
        ...echo,
        name: `JSON that is none: ${JSON.stringify(body)}`,
        headers: json,
        body: Buffer.from(body, "latin1"),
        status: 400,
        code: "bad_json",
      }),
    ),
    {
      name: "a stopped route",
      method: "POST",
      path: "/api/resting",
      body: "x",
      headers: { "content-type": "text/plain" },
      status: 503,
      code: "route_stopped",
      header: ["retry-after", /^\d+$/],
    },
    {
      ...echo,
      name: "gzip",
      headers: { "content-encoding": "gzip" },
      body: "x",
      status: 415,
      code: "unsupported_media_type",
    },
    {
      name: "more than 10 MiB, declared",
      bytes: lastRequest("POST /api/echo", ["Content-Length: 10485761"]),
      status: 413,
      code: "body_too_large",
    },
    {
      name: "more than 10 MiB, in chunks",
      bytes: lastRequest("POST /api/echo", ["Transfer-Encoding: chunked"], `A00001\r\n${"x".repeat(0xa00001)}`),
      status: 413,
      code: "body_too_large",
    },
    {
      name: "an expectation that nobody meets",
      bytes: lastRequest("POST /api/echo", ["Content-Length: 2", "Expect: miracles"]),
      status: 417,
      code: "expectation_failed",
    },
    ...served,
  ],
};
