/** Who is let in: every shape of credentials, and nothing told to who has none. */
import type { ErrorCode } from "../../../../src/shared/errors.ts";
import { type Case, type Group, lastRequest } from "../case.ts";

type Row = readonly [name: string, headers: readonly string[], status: 200 | 400 | 401 | 431];

const codes: Readonly<Record<number, ErrorCode>> = {
  400: "bad_request",
  401: "unauthorized",
  431: "header_fields_too_large",
};

const rows: readonly Row[] = [
  ["the right token", ["Authorization: Bearer TOKEN"], 200],
  ["the scheme in lower case", ["authorization: bearer TOKEN"], 200],
  ["the scheme in capitals", ["AUTHORIZATION: BEARER TOKEN"], 200],
  ["a blank after the token, which is no part of the value", ["Authorization: Bearer TOKEN "], 200],
  ["no header", [], 401],
  ["an empty header", ["Authorization:"], 401],
  ["the scheme alone", ["Authorization: Bearer"], 401],
  ["the scheme and a blank", ["Authorization: Bearer "], 401],
  ["two blanks", ["Authorization: Bearer  TOKEN"], 401],
  ["a tab for the blank", ["Authorization: Bearer\tTOKEN"], 401],
  ["the token without a scheme", ["Authorization: TOKEN"], 401],
  ["another scheme", ["Authorization: Basic TOKEN"], 401],
  ["the token in quotes", ['Authorization: Bearer "TOKEN"'], 401],
  ["a piece of the token", ["Authorization: Bearer a-token"], 401],
  ["the token and more", ["Authorization: Bearer TOKENx"], 401],
  ["the token twice", ["Authorization: Bearer TOKEN TOKEN"], 401],
  ["a list of two", ["Authorization: Bearer TOKEN, Bearer TOKEN"], 401],
  ["another token", [`Authorization: Bearer ${"x".repeat(43)}`], 401],
  ["a token that is not ASCII", ["Authorization: Bearer p\xc3\xa4ssw\xc3\xb6rd"], 401],
  ["a byte order mark before the scheme", ["Authorization: \xef\xbb\xbfBearer TOKEN"], 401],
  ["the token in a cookie", ["Cookie: token=TOKEN; Authorization=Bearer TOKEN"], 401],
  ["the token in other headers", ["X-API-Key: TOKEN", "Proxy-Authorization: Bearer TOKEN"], 401],
  ["two headers, both right", ["Authorization: Bearer TOKEN", "Authorization: Bearer TOKEN"], 401],
  ["two headers, the first right", ["Authorization: Bearer TOKEN", "Authorization: Basic eA=="], 401],
  ["two headers, the last right", ["Authorization: Basic eA==", "authorization: Bearer TOKEN"], 401],
  ["a token of 60 KB", [`Authorization: Bearer ${"x".repeat(60_000)}`], 431],
  ["a NUL", ["Authorization: Bearer TOKEN\0"], 400],
];

/** 401 comes before anything that would tell what there is. */
const blind: readonly (readonly [name: string, line: string, headers: readonly string[]])[] = [
  ["an endpoint that does not exist", "GET /_api/nothing", []],
  ["the root", "GET /_api", []],
  ["the root with a slash", "GET /_api/", []],
  ["a method that is not offered", "TRACE /_api/flows", []],
  ["OPTIONS", "OPTIONS /_api/flows", []],
  ["a flow that does not exist", "DELETE /_api/flows/none", []],
  ["a bad id", "PUT /_api/flows/-", ["Content-Length: 0"]],
  ["a bad query", "GET /_api/runs?limit=x", []],
  ["a media type that is not taken", "PUT /_api/flows/x", ["Content-Type: text/html", "Content-Length: 0"]],
  ["a body that is too large", "PUT /_api/flows/x", ["Content-Length: 99999999999", "Expect: 100-continue"]],
  ["an unknown expectation", "PUT /_api/flows/x", ["Content-Length: 5", "Expect: miracles"]],
  ["the token in the query", "GET /_api/flows?access_token=TOKEN&token=TOKEN", []],
  ["a path that begins like the open one", "GET /_api/health/x", []],
  ["the open path with a slash", "GET /_api/health/", []],
  ["the open path and more letters", "GET /_api/healthy", []],
  ["the open path in another case", "GET /_api/Health", []],
  ["the open path with another method", "POST /_api/health", ["Content-Length: 0"]],
];

export const auth: Group = {
  group: "credentials",
  cases: [
    ...rows.map(([name, headers, status]): Case => {
      const code = codes[status];
      return { name, bytes: lastRequest("GET /_api/flows", headers), status, ...(code && { code }) };
    }),
    ...blind.map(
      ([name, line, headers]): Case => ({
        name: `none, for ${name}`,
        bytes: lastRequest(line, headers),
        status: 401,
        code: "unauthorized",
        says: /^unauthorized$/,
      }),
    ),
  ],
};

const closed = /"routes":\[\{"id":"[^"]+","flowId":"[^"]+","status":"\w+"\}[,\]]/;

export const health: Group = {
  group: "the open endpoint",
  cases: [
    {
      name: "no token",
      method: "GET",
      path: "/_api/health",
      headers: { authorization: null },
      status: 200,
      says: closed,
    },
    {
      name: "a wrong token",
      method: "GET",
      path: "/_api/health",
      headers: { authorization: "Bearer wrong" },
      status: 200,
      says: closed,
      not: /"uptime":[\d.]+,"inflight"|failedFiles":\[/,
    },
    { name: "HEAD", method: "HEAD", path: "/_api/health", headers: { authorization: null }, status: 200 },
    { name: "a parameter of a load balancer", method: "GET", path: "/_api/health?_=1", status: 200 },
    {
      name: "a probe that does not exist",
      method: "GET",
      path: "/_api/health?probe=x",
      status: 400,
      code: "bad_query",
    },
    {
      name: "two probes",
      method: "GET",
      path: "/_api/health?probe=live&probe=ready",
      status: 400,
      code: "bad_query",
    },
    {
      name: "another method, with the token",
      method: "POST",
      path: "/_api/health",
      status: 405,
      code: "method_not_allowed",
      header: ["allow", /^GET, HEAD, OPTIONS$/],
    },
    { name: "a slash behind it, with the token", method: "GET", path: "/_api/health/", status: 404, code: "not_found" },
    {
      name: "as a way to a sibling",
      bytes: lastRequest("GET /_api/health/../flows"),
      status: 400,
      code: "bad_target",
    },
    {
      name: "as a way to a sibling, escaped",
      bytes: lastRequest("GET /_api/health%2f..%2fflows"),
      status: 400,
      code: "bad_target",
    },
  ],
};
