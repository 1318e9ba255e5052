/** Methods of the management API. */
import { bearer, type Case, type Group, lastRequest } from "../case.ts";

const notOffered: readonly (readonly [line: string, allow: RegExp])[] = [
  ["PATCH /_api/flows", /^GET, HEAD, OPTIONS$/],
  ["POST /_api/flows", /^GET, HEAD, OPTIONS$/],
  ["TRACE /_api/flows", /^GET, HEAD, OPTIONS$/],
  ["QUERY /_api/flows", /^GET, HEAD, OPTIONS$/],
  ["PROPFIND /_api/flows/echo", /^GET, HEAD, PUT, DELETE, OPTIONS$/],
  ["POST /_api/flows/echo", /^GET, HEAD, PUT, DELETE, OPTIONS$/],
  ["GET /_api/flows/echo/validate", /^POST, OPTIONS$/],
  ["HEAD /_api/trace/stream", /^GET, OPTIONS$/],
  ["DELETE /_api/logs/stream", /^GET, OPTIONS$/],
];

export const methods: Group = {
  group: "methods",
  cases: [
    ...notOffered.map(
      ([line, allow]): Case => ({
        name: line,
        bytes: lastRequest(line, [bearer]),
        status: 405,
        code: "method_not_allowed",
        header: ["allow", allow],
      }),
    ),
    ...["/_api/nothing", "/_api", "/_api/", "/_api/flows/echo/nothing", "/_api/Flows", "/_api/flows/echo/"].flatMap(
      (path) =>
        ["GET", "OPTIONS", "PUT"].map(
          (method): Case => ({ name: `${method} ${path}`, method, path, status: 404, code: "not_found" }),
        ),
    ),
    {
      name: "a content type that is none does not matter where no body is taken",
      method: "DELETE",
      path: "/_api/flows/nobody",
      headers: { "content-type": "x" },
      status: 404,
      code: "not_found",
    },
    { name: "OPTIONS", method: "OPTIONS", path: "/_api/flows", status: 204, header: ["allow", /^GET, HEAD, OPTIONS$/] },
    { name: "HEAD", method: "HEAD", path: "/_api/flows", status: 200 },
    ...["X-HTTP-Method-Override", "X-HTTP-Method", "X-Method-Override"].map(
      (name): Case => ({
        name: `${name} is not looked at`,
        method: "GET",
        path: "/_api/flows/echo",
        headers: { [name]: "DELETE" },
        status: 200,
        says: /"id":"echo"/,
      }),
    ),
    {
      name: "_method is not looked at",
      method: "POST",
      path: "/api/method?_method=DELETE",
      headers: { "x-http-method-override": "PUT" },
      status: 200,
      says: /^POST\|PUT$/,
    },
  ],
};
