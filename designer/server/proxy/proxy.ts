/** Passes requests of the page on to a runtime: with the deploy token, without what the browser says of itself. */

import { Transform } from "node:stream";
import { pipeline } from "node:stream/promises";
import type { FastifyReply, FastifyRequest } from "fastify";
import { may, type Role, type User } from "../../shared/wire.ts";
import { limits } from "../limits.ts";
import { Refused } from "../refused.ts";
import { runtimeHeaders } from "./headers.ts";
import type { Operation } from "./table.ts";
import type { Upstream } from "./upstream.ts";

const returnedHeaders = [
  ...["content-type", "content-length", "content-disposition", "etag", "last-modified", "location", "allow"],
  ...["retry-after", "x-error-code", "x-request-id", "x-run-id", "x-written-by"],
];

export interface Caller {
  readonly user: User;
  /** Aborted when the caller's session ends. */
  readonly ended: AbortSignal | undefined;
}

/** Answers the request with what the runtime answers. Throws Refused before an answer has begun. */
export async function passOn(
  {
    request,
    reply,
    path,
    caller,
  }: { readonly request: FastifyRequest; readonly reply: FastifyReply; readonly path: string; readonly caller: Caller },
  { method, body: size = "usual", fields }: Operation,
  upstream: Upstream,
): Promise<void> {
  const over = new AbortController();
  const stop = (): void => over.abort();
  // The browser has gone away, or was logged out: the runtime works and sends for nobody.
  reply.raw.once("close", stop);
  caller.ended?.addEventListener("abort", stop, { once: true });
  try {
    const headers = runtimeHeaders(request.headers, caller.user, upstream.authorization);
    const bytes = bodyOf(request, limits.proxyBodyBytes[size]);
    const held = fields && Object.entries(fields).filter(([, least]) => !may(caller.user.role, least));
    // Who may send every field needs no reading of the body.
    const isFree = bytes === null || held === undefined || held.length === 0;
    const body = isFree ? bytes : await allowedBody(request, bytes, held);
    if (Buffer.isBuffer(body)) headers["content-length"] = String(body.length);
    const answer = await upstream.request({ method, path, headers, body, signal: over.signal });
    if (answer.statusCode === 401) {
      await answer.body.dump();
      throw upstream.refusedToken();
    }
    reply.hijack();
    for (const [name, value] of Object.entries(reply.getHeaders()))
      if (value !== undefined) reply.raw.setHeader(name, value);
    for (const name of returnedHeaders) {
      const value = answer.headers[name];
      if (value !== undefined) reply.raw.setHeader(name, value);
    }
    reply.raw.setHeader("Cache-Control", "no-store");
    reply.raw.setHeader("X-Accel-Buffering", "no");
    reply.raw.writeHead(answer.statusCode);
    // The first event of a stream may be far away.
    reply.raw.flushHeaders();
    // One of the two sides has gone away: pipeline ends the other.
    await pipeline(answer.body, reply.raw).catch(() => undefined);
  } catch (error) {
    if (reply.raw.destroyed || reply.sent) return;
    if (!over.signal.aborted) throw error;
    throw new Refused(401, "your session has ended: log in again");
  } finally {
    caller.ended?.removeEventListener("abort", stop);
  }
}

/** The request's body, which fails with Refused when it is longer than allowed; null: there is none. */
function bodyOf({ raw }: FastifyRequest, most: number): Transform | null {
  const { "content-length": length, "transfer-encoding": encoding } = raw.headers;
  if ((length === undefined || length === "0") && encoding === undefined) return null;
  const tooLong = () =>
    new Refused(413, `the body has more than ${most} bytes, which is the most that the designer passes on here`);
  if (Number(length ?? 0) > most) throw tooLong();
  let bytes = 0;
  const bounded = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      bytes += chunk.length;
      if (bytes > most) done(tooLong());
      else done(null, chunk);
    },
  });
  // An error is that of the request to the runtime.
  pipeline(raw, bounded).catch(() => undefined);
  return bounded;
}

/** Returns the whole body once it is known that it has none of the fields, each with the role that it needs. Throws Refused. */
async function allowedBody(
  request: FastifyRequest,
  body: Transform,
  fields: readonly (readonly [field: string, least: Role])[],
): Promise<Buffer> {
  const type = request.headers["content-type"] ?? "";
  const isYaml = /^application\/yaml(?:; *charset=utf-8)?$/i.test(type);
  if (!isYaml && !/^application\/json(?:; *charset=utf-8)?$/i.test(type)) {
    body.destroy();
    throw new Refused(415, "send application/json, or the YAML alone as application/yaml");
  }
  const parts: Buffer[] = [];
  for await (const part of body) parts.push(part as Buffer);
  const bytes = Buffer.concat(parts);
  // The YAML alone has no fields.
  if (isYaml) return bytes;
  const sent = parse(bytes);
  for (const [field, least] of fields)
    if (isSent(sent, field.split(".")))
      throw new Refused(403, `'${field}' is for people with the role ${least}: leave it out, and it stays as it is`);
  return bytes;
}

function isSent(value: unknown, [name = "", ...rest]: readonly string[]): boolean {
  if (typeof value !== "object" || value === null || !Object.hasOwn(value, name)) return false;
  if (rest.length === 0) return true;
  const inner: unknown = (value as Readonly<Record<string, unknown>>)[name];
  return (Array.isArray(inner) ? inner : [inner]).some((one) => isSent(one, rest));
}

function parse(bytes: Buffer): object {
  try {
    const value: unknown = JSON.parse(new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes));
    if (typeof value === "object" && value !== null) return value;
  } catch {
    // Reported below.
  }
  throw new Refused(400, "the body is not a JSON object in UTF-8");
}
