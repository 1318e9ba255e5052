/** The headers of requests to runtimes. */
import { randomBytes } from "node:crypto";
import type { User } from "../../shared/wire.ts";

/** What of a browser's request is passed on. Everything else stays here, cookies and Authorization among it. */
const passedOn = ["accept", "content-type", "if-match", "if-none-match", "last-event-id"];

/** @param authorization of the designer, at the runtime */
export function runtimeHeaders(
  sent: Readonly<Record<string, string | readonly string[] | undefined>>,
  user: User,
  authorization: string | undefined,
): Record<string, string> {
  const headers: Record<string, string> = { "x-request-id": requestId(user) };
  for (const name of passedOn) {
    const value = sent[name];
    if (typeof value === "string") headers[name] = value;
  }
  if (authorization !== undefined) headers["authorization"] = authorization;
  return headers;
}

/** The runtime's audit log has it: it says who it was. */
function requestId({ name }: User): string {
  return `designer-${name.replace(/[^A-Za-z0-9._-]/g, "_").slice(0, 80)}-${randomBytes(6).toString("hex")}`;
}
