/** Request targets that are not in normal form: refused, never repaired. */
import type { Case, Group } from "../case.ts";
import { bearer, lastRequest } from "../case.ts";

const refused: readonly (readonly [name: string, target: string])[] = [
  ["two slashes in front", "//_api/flows"],
  ["two slashes inside", "/_api//flows"],
  ["two slashes at the end", "/_api/flows//"],
  ["a dot segment in front", "/./_api/flows"],
  ["a dot segment at the end", "/_api/flows/."],
  ["two dots inside", "/_api/flows/../limits"],
  ["two dots from outside", "/api/../_api/flows"],
  ["two dots at the end", "/_api/flows/.."],
  ["escaped dots", "/%2e%2e/_api/flows"],
  ["escaped dots of another case", "/_api/%2E%2e/flows"],
  ["an escaped letter", "/%5Fapi/flows"],
  ["an escaped slash", "/_api%2fflows"],
  ["an escaped slash and dots", "/_api/flows/a%2F..%2Fb"],
  ["a backslash", "/_api\\flows"],
  ["an escaped backslash", "/_api%5cflows"],
  ["an escaped NUL", "/_api/flows/a%00"],
  ["escaped line ends", "/_api/flows/a%0d%0aX:1"],
  ["an escape that is none", "/_api/flows/%zz"],
  ["half an escape", "/_api/flows/%4"],
  ["a percent sign", "/_api/flows/%"],
  ["an overlong form", "/_api/flows/%c0%af"],
  ["half a surrogate pair", "/_api/flows/%ed%a0%80"],
  ["bytes that are not UTF-8", "/_api/flows/%ff"],
  ["an escape in the query that is none", "/_api/runs?limit=%zz"],
  ["a fragment", "/_api/flows#x"],
  ["the absolute form", "http://localhost/_api/flows"],
  ["the absolute form, in capitals", "HTTP://localhost/_api/health"],
  ["the authority form", "localhost:80"],
  ["an asterisk", "*"],
  ["a query alone", "?x=1"],
  ["no slash in front", "_api/flows"],
];

/** The same rules hold where no token is asked for. */
const open: readonly (readonly [name: string, target: string])[] = [
  ["two slashes", "/api//echo"],
  ["two dots", "/api/x/../echo"],
  ["an escaped letter", "/api/%65cho"],
  ["an escape in the query that is none", "/api/echo?x=%zz"],
  ["a fragment", "/api/echo#x"],
];

const others: readonly Case[] = [
  { name: "OPTIONS *", bytes: lastRequest("OPTIONS *"), status: 400, code: "bad_target" },
  {
    name: "CONNECT",
    bytes: "CONNECT localhost:443 HTTP/1.1\r\nHost: localhost\r\n\r\n",
    status: 400,
    code: "bad_target",
    behind: "dropped",
  },
  {
    name: "a space",
    bytes: "GET /_api/flows x HTTP/1.1\r\nHost: localhost\r\n\r\n",
    status: 400,
    code: "bad_request",
    behind: "dropped",
  },
  { name: "raw UTF-8", bytes: lastRequest("GET /_api/\xc3\xa9", [bearer]), status: 400, code: "bad_target" },
  { name: "a raw NUL", bytes: lastRequest("GET /_api/\0", [bearer]), status: 400, code: "bad_target" },
  {
    name: "more than the header limit",
    bytes: lastRequest(`GET /${"x".repeat(20_000)}`),
    status: 431,
    code: "header_fields_too_large",
  },
  { name: "8 KiB, within the limit", method: "GET", path: `/api/${"x".repeat(8192)}`, status: 404, code: "not_found" },
  { name: "another case is another path", method: "GET", path: "/_API/flows", status: 404, code: "not_found" },
  {
    name: "matrix parameters are another path",
    method: "GET",
    path: "/_api;v=1/flows",
    status: 404,
    code: "not_found",
  },
  { name: "a longer first segment", method: "GET", path: "/_apix/flows", status: 404, code: "not_found" },
  { name: "escaped UTF-8 is a path like others", method: "GET", path: "/caf%C3%A9", status: 404, code: "not_found" },
];

export const targets: Group = {
  group: "request targets",
  cases: [
    ...refused.map(
      ([name, target]): Case => ({
        name,
        bytes: lastRequest(`GET ${target}`, [bearer]),
        status: 400,
        code: "bad_target",
      }),
    ),
    ...open.map(
      ([name, target]): Case => ({
        name: `${name}, at a webhook`,
        bytes: lastRequest(`POST ${target}`, ["Content-Length: 0"]),
        status: 400,
        code: "bad_target",
      }),
    ),
    ...others,
  ],
};
