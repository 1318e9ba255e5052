/** Entity tags: made, and compared with what a request sent (RFC 9110 8.8.3, 13.1.2). */
import { hash } from "node:crypto";
import type { FastifyReply, FastifyRequest } from "fastify";

const entityTag = /(?:W\/)?("[^"]*")/g;

/** Sends `text` under an ETag of its content, or 304 when the caller has it already. */
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

/** The tag of a flow's revision; `If-Match` accepts it. A file that was never deployed has no revision yet. */
export function flowTag(flow: { readonly hash: string; readonly revision: number | null }): string {
  return flow.revision === null ? `"${flow.hash}"` : `"${flow.hash}.${flow.revision}"`;
}

function isCurrent(header: string | undefined, tag: string): boolean {
  if (header === undefined) return false;
  if (header.trim() === "*") return true;
  for (const [, opaque] of header.matchAll(entityTag)) if (opaque === tag) return true;
  return false;
}
