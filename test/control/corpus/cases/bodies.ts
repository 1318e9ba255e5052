/** Bodies of a PUT and of validate: their type, their size, their JSON. */
import { gzipSync } from "node:zlib";
import type { ErrorCode } from "../../../../src/shared/errors.ts";
import { bearer, type Case, type Group, lastRequest, rawRequest } from "../case.ts";

const KiB = 1024;

interface Row {
  readonly name: string;
  readonly body?: string | Uint8Array;
  /** null: none. */
  readonly type?: string | null;
  readonly headers?: Readonly<Record<string, string>>;
  readonly code: ErrorCode;
  readonly says?: RegExp;
}

const statuses: Partial<Record<ErrorCode, number>> = { body_too_large: 413, unsupported_media_type: 415 };

const nested = (depth: number): string => `{"yaml":"x","params":${"[".repeat(depth)}${"]".repeat(depth)}}`;

const rows: readonly Row[] = [
  { name: "no body", code: "bad_request", says: /missing/ },
  { name: "an empty body", body: "", code: "bad_request", says: /missing/ },
  { name: "blanks", body: "  ", code: "bad_json", says: /empty/ },
  { name: "null", body: "null", code: "bad_request", says: /JSON object/ },
  { name: "an array", body: "[]", code: "bad_request" },
  { name: "a string", body: '"yaml"', code: "bad_request" },
  { name: "no yaml", body: "{}", code: "bad_request", says: /'yaml' is missing/ },
  { name: "yaml null", body: '{"yaml":null}', code: "bad_request", says: /'yaml' must be/ },
  { name: "yaml a number", body: '{"yaml":1}', code: "bad_request" },
  { name: "yaml an object", body: '{"yaml":{"route":{}}}', code: "bad_request" },
  { name: "half a surrogate pair", body: '{"yaml":"\\ud800"}', code: "bad_request", says: /surrogate/ },
  { name: "params an array", body: '{"yaml":"x","params":[]}', code: "bad_request", says: /'params'/ },
  { name: "params that are not flat", body: '{"yaml":"x","params":{"a":{}}}', code: "bad_request", says: /params\/a/ },
  { name: "params with __proto__", body: '{"yaml":"x","params":{"__proto__":"x"}}', code: "bad_request" },
  { name: "limits a string", body: '{"yaml":"x","limits":"x"}', code: "bad_request", says: /'limits'/ },
  { name: "malformed JSON", body: '{\n "yaml": x}', code: "bad_json", says: /line 2, column 10/ },
  { name: "JSON cut off", body: '{"yaml":"x"', code: "bad_json", says: /closing bracket is missing/ },
  { name: "a string without end", body: '{"yaml":"x\\"', code: "bad_json", says: /line 1, column 9 has no end/ },
  { name: "NDJSON", body: '{"yaml":"x"}\n{"yaml":"y"}', code: "bad_json" },
  { name: "a comment", body: '{"yaml":"x"} // y', code: "bad_json" },
  { name: "single quotes", body: "{'yaml':'x'}", code: "bad_json" },
  { name: "NaN", body: '{"yaml":"x","params":{"a":NaN}}', code: "bad_json" },
  { name: "a line end in a string", body: '{"yaml":"a\nb"}', code: "bad_json" },
  { name: "a byte order mark", body: '\ufeff{"yaml":"x"}', code: "bad_json", says: /byte order mark/ },
  { name: "UTF-16", body: Buffer.from('{"yaml":"x"}', "utf16le"), code: "bad_json" },
  { name: "bytes that are not UTF-8", body: Buffer.from('{"yaml":"\xff"}', "latin1"), code: "bad_request" },
  { name: "a name twice", body: '{"yaml":"x","yaml":"y"}', code: "bad_json", says: /twice/ },
  { name: "a name twice, once escaped", body: '{"yaml":"x","y\\u0061ml":"y"}', code: "bad_json" },
  { name: "depth 300", body: nested(300), code: "bad_json", says: /256/ },
  { name: "depth 100 000", body: nested(100_000), code: "bad_json" },
  { name: "depth 256, but not flat", body: nested(255), code: "bad_request" },
  { name: "no content type", body: '{"yaml":"x"}', type: null, code: "unsupported_media_type" },
  { name: "text", body: "x", type: "text/plain", code: "unsupported_media_type", says: /application\/json/ },
  { name: "a form", body: "yaml=x", type: "application/x-www-form-urlencoded", code: "unsupported_media_type" },
  { name: "a multipart form", body: "--x--", type: "multipart/form-data; boundary=x", code: "unsupported_media_type" },
  { name: "no media type at all", body: "x", type: "json", code: "unsupported_media_type" },
  { name: "charset utf-7", body: "{}", type: "application/json; charset=utf-7", code: "unsupported_media_type" },
  { name: "charset of YAML", body: "x", type: "application/yaml; charset=latin1", code: "unsupported_media_type" },
  {
    name: "gzip",
    body: gzipSync('{"yaml":"x"}'),
    headers: { "content-encoding": "gzip" },
    code: "unsupported_media_type",
  },
  {
    name: "two encodings",
    body: "{}",
    headers: { "content-encoding": "identity, br" },
    code: "unsupported_media_type",
  },
  { name: "more than 2 MiB", body: `{"x":"${"x".repeat(2048 * KiB)}"}`, code: "body_too_large" },
  { name: "more YAML than 256 KiB", body: `{"yaml":"${"é".repeat(128 * KiB + 1)}"}`, code: "body_too_large" },
  { name: "the same as YAML", body: "é".repeat(128 * KiB + 1), type: "application/yaml", code: "body_too_large" },
];

function caseOf({ name, body, type, headers, code, says }: Row, method: "PUT" | "POST"): Case {
  return {
    name: `${name} (${method === "PUT" ? "PUT" : "validate"})`,
    method,
    path: `/_api/flows/body-case${method === "PUT" ? "" : "/validate"}`,
    ...(body !== undefined && { body }),
    headers: { ...(type !== undefined && { "content-type": type }), ...headers },
    status: statuses[code] ?? 400,
    code,
    ...(says && { says }),
  };
}

const put = "PUT /_api/flows/body-case";
const json = "Content-Type: application/json";
const tooMany = 2048 * KiB + 1;

const onTheWire: readonly Case[] = [
  {
    name: "declared as too large: refused before it is sent",
    bytes: rawRequest(put, [bearer, json, "Content-Length: 2097153", "Expect: 100-continue"]),
    status: 413,
    code: "body_too_large",
    header: ["connection", /close/],
  },
  {
    name: "another type: refused before it is sent",
    bytes: rawRequest(put, [bearer, "Content-Type: text/html", "Content-Length: 5", "Expect: 100-continue"]),
    status: 415,
    code: "unsupported_media_type",
    header: ["connection", /close/],
  },
  {
    name: "a chunk of more than 2 MiB",
    bytes: lastRequest(
      put,
      [bearer, json, "Transfer-Encoding: chunked"],
      `${tooMany.toString(16)}\r\n${"x".repeat(tooMany)}`,
    ),
    status: 413,
    code: "body_too_large",
  },
  {
    name: "shorter than declared, then the end",
    bytes: rawRequest(put, [bearer, json, "Content-Length: 100"], '{"yaml":'),
    ends: true,
    status: 400,
    code: "bad_request",
  },
  {
    name: "chunks without their end",
    bytes: rawRequest(put, [bearer, json, "Transfer-Encoding: chunked"], "5\r\n{}"),
    ends: true,
    status: 400,
    code: "bad_request",
  },
  {
    name: "an expectation that nobody meets",
    bytes: lastRequest(put, [bearer, json, "Content-Length: 2", "Expect: miracles"]),
    status: 417,
    code: "expectation_failed",
  },
];

const nothing: Case = {
  name: "nothing of them was deployed",
  method: "GET",
  path: "/_api/flows/body-case",
  status: 404,
  code: "not_found",
};

export const bodies: Group = {
  group: "bodies",
  cases: [...rows.map((row) => caseOf(row, "PUT")), ...rows.map((row) => caseOf(row, "POST")), ...onTheWire, nothing],
};
