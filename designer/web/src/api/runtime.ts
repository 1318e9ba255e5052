/** The management API of a runtime, through the designer's server, which adds the token. */
import { type BulkheadClient, createClient } from "../../../../src/client/client.ts";
import { ApiError } from "../../../../src/client/errors.ts";
import type { components } from "../../../../src/client/openapi.ts";
import { ownHeader } from "./designer.ts";

export type Schemas = components["schemas"];

const clients = new Map<string, BulkheadClient>();

/** `target`: its name. */
export function runtimeOf(target: string): BulkheadClient {
  const known = clients.get(target);
  if (known !== undefined) return known;
  const client = createClient({
    url: `${location.origin}/targets/${encodeURIComponent(target)}`,
    fetch(request) {
      for (const [name, value] of Object.entries(ownHeader)) request.headers.set(name, value);
      return fetch(request);
    },
  });
  clients.set(target, client);
  return client;
}

/** Whether the runtime has answered that it does not take the designer's token. */
export function isRefusal(error: unknown): boolean {
  return error instanceof ApiError && (error.status === 401 || error.status === 403);
}
