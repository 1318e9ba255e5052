/** Entity tags (RFC 9110 8.8.3, 13.1.2), and which of two representations a caller prefers (12.5.1). */
import { hash } from "node:crypto";
import type { FastifyReply, FastifyRequest } from "fastify";

const entityTag = /(?:W\/)?("[^"]*")/g;

/** Sends `text` with an ETag, by default the hash of its content, or 304 when the caller has it already. */
export function sendConditional(
  request: FastifyRequest,
  reply: FastifyReply,
  text: string,
  contentType: string,
  tag = `"${hash("sha256", text)}"`,
): FastifyReply {
  reply.header("ETag", tag);
  if (isCurrent(request.headers["if-none-match"], tag)) return reply.code(304).send();
  return reply.type(contentType).send(text);
}

/** Returns the tag of a revision, which `If-Match` accepts. A file that was never deployed has no revision yet. */
export function flowTag(flow: { readonly hash: string; readonly revision: number | null }): string {
  return flow.revision === null ? `"${flow.hash}"` : `"${flow.hash}.${flow.revision}"`;
}

function isCurrent(header: string | undefined, tag: string): boolean {
  if (header === undefined) return false;
  if (header.trim() === "*") return true;
  for (const [, opaque] of header.matchAll(entityTag)) if (opaque === tag) return true;
  return false;
}

/** Returns true when the Accept header names `type` itself and gives `other` no more weight. */
export function prefers(accept: string | undefined, type: string, other: string): boolean {
  if (accept === undefined) return false;
  const ranges = accept.split(",").map(readRange);
  const wanted = ranges.find(({ range }) => range === type)?.weight ?? 0;
  return wanted > 0 && wanted >= (ranges.find(({ range }) => range === other)?.weight ?? 0);
}

function readRange(text: string): { range: string; weight: number } {
  const [range = "", ...parameters] = text.split(";").map((part) => part.trim().toLowerCase());
  const q = parameters.find((parameter) => parameter.startsWith("q="))?.slice(2);
  const weight = q === undefined ? 1 : Number(q);
  return { range, weight: weight >= 0 && weight <= 1 ? weight : 0 };
}
