/** What is said to a request that no endpoint takes: the path is unknown, or the method is. */
import { AppError } from "../../shared/errors.ts";
import type { Endpoint } from "./endpoint.ts";

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
