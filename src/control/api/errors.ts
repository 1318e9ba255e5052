/** The error of the table that a failed request is answered with, and the errors of a path or a method that no endpoint has. */
import type { FastifyError } from "fastify";
import { hasZodFastifySchemaValidationErrors } from "fastify-type-provider-zod";
import { AppError, type ErrorCode } from "../../shared/errors.ts";
import type { Endpoint } from "./endpoint.ts";

/** undefined: not the caller's fault; it is answered as `internal` and logged. */
export function toAppError(error: FastifyError): AppError | undefined {
  if (error instanceof AppError) return error;
  if (hasZodFastifySchemaValidationErrors(error)) return invalidPart(error);
  switch (error.statusCode) {
    case 413:
      return new AppError("body_too_large", "the body is too large");
    case 415:
      return new AppError("unsupported_media_type", "the Content-Type is not well-formed");
    case 400:
      return new AppError("bad_request", "the request is not well-formed");
    default:
      return undefined;
  }
}

const parts: Readonly<Record<string, readonly [code: ErrorCode, what: string]>> = {
  params: ["bad_id", "the id"],
  querystring: ["bad_query", "the query parameter"],
  body: ["bad_request", "the body's field"],
};

interface Issue {
  readonly instancePath: string;
  readonly message?: string | undefined;
  readonly keyword: string;
  readonly params: unknown;
}

function invalidPart(error: FastifyError & { readonly validation: readonly Issue[] }): AppError {
  const [code, what] = parts[error.validationContext ?? "body"] ?? ["bad_request", "the request's"];
  const texts = error.validation.map((issue) => describe(issue, code, what));
  return new AppError(code, texts.join("; "));
}

function describe({ instancePath, message = "is not valid", keyword, params }: Issue, code: ErrorCode, what: string) {
  if (keyword === "unrecognized_keys") {
    return `unknown ${code === "bad_query" ? "query parameter" : "field"} ${quoted(unknownKeys(params))}`;
  }
  if (code === "bad_id") return message;
  const field = instancePath.slice(1);
  return field === "" ? `the body ${plain(message)}` : `${what} ${quoted([field])} ${plain(message)}`;
}

/** What zod says by itself, as the other messages say it. */
function plain(message: string): string {
  const [, expected, received] = /^Invalid input: expected (\w+), received (\w+)$/.exec(message) ?? [];
  if (received === "undefined") return "is missing";
  return expected === undefined ? message : `must be of the type ${expected}, not ${received}`;
}

function unknownKeys(params: unknown): readonly string[] {
  const keys = typeof params === "object" && params !== null && "keys" in params ? params.keys : undefined;
  return Array.isArray(keys) ? keys.map(String) : [];
}

function quoted(names: readonly string[]): string {
  return names.map((name) => `'${name.slice(0, 100)}'`).join(", ");
}

/** The methods of the endpoints at a path, as an `Allow` header lists them; empty: no endpoint is there. */
export function allowedMethods(endpoints: readonly Endpoint[], segments: readonly string[]): readonly string[] {
  const methods = new Set<string>();
  for (const { method, path, head } of endpoints) {
    if (!matches(path.slice(1).split("/"), segments)) continue;
    methods.add(method);
    if (method === "GET" && head !== false) methods.add("HEAD");
  }
  return methods.size === 0 ? [] : [...methods, "OPTIONS"];
}

export function noEndpoint(method: string, allowed: readonly string[]): AppError {
  if (allowed.length === 0) return new AppError("not_found", "there is no such endpoint; see /_api/openapi.json");
  const allow = allowed.join(", ");
  return new AppError("method_not_allowed", `${method} is not offered here, only ${allow}`, { Allow: allow });
}

function matches(pattern: readonly string[], segments: readonly string[]): boolean {
  return (
    pattern.length === segments.length &&
    pattern.every((part, index) => part.startsWith(":") || part === segments[index])
  );
}
