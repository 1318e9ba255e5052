/** Maps the failure of a request to an error of the table, and answers paths and methods that no endpoint has. */
import type { FastifyError } from "fastify";
import { AppError } from "../../shared/errors.ts";
import type { Endpoint } from "./endpoint.ts";

/** Returns undefined for a failure that the caller did not cause; it is answered as `internal` and logged. */
export function toAppError(error: FastifyError): AppError | undefined {
  if (error instanceof AppError) return error;
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

/** Returns the methods of a path for the `Allow` header; empty: no endpoint has this path. */
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
