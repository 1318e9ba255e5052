/** Every error as an answer: `{"error": "..."}`, one sentence that says what to do. */
import type { FastifyError, FastifyInstance } from "fastify";
import type { Log } from "../log.ts";
import { codeOf, messageOf, Refused } from "../refused.ts";

const ofSystem: Readonly<Record<string, readonly [status: number, message: string]>> = {
  ENOSPC: [507, "the disk is full, and nothing was changed: make room"],
  EDQUOT: [507, "the disk is full, and nothing was changed: make room"],
  EACCES: [500, "the designer may not read or write a file of the workspace: give it the right"],
  EPERM: [500, "the designer may not read or write a file of the workspace: give it the right"],
  EROFS: [500, "the workspace is on a disk that cannot be written: give WORKSPACE another folder"],
};

export function answerFailures(app: FastifyInstance, log: Log): void {
  app.setErrorHandler((error: FastifyError, request, reply) => {
    const { status, message, headers, more } = refusalOf(error);
    if (status >= 500 && !(error instanceof Refused))
      log.line(`${request.method} ${request.url.split("?")[0]}: ${error.stack ?? error}`);
    reply
      .code(status)
      .headers(headers)
      .header("Cache-Control", "no-store")
      .send({ error: message, ...more });
  });
  app.setNotFoundHandler((request) => {
    const path = request.url.split("?")[0]?.slice(0, 200);
    if (request.method === "GET" && path === "/")
      throw new Refused(404, "the page of the designer is missing: start the designer with 'bulkhead designer'");
    if (/^\/targets\//.test(request.url))
      throw new Refused(
        404,
        `the designer does not pass ${request.method} ${path} on: it is no operation of the API, or not for browsers`,
      );
    throw new Refused(404, `there is nothing at ${request.method} ${path}`);
  });
}

function refusalOf(error: FastifyError): Pick<Refused, "status" | "message" | "headers" | "more"> {
  if (error instanceof Refused) return error;
  const [status, message] = ofSystem[codeOf(error) ?? ""] ?? [];
  if (status !== undefined && message !== undefined) return { status, message, headers: {}, more: {} };
  // Of Fastify: a body that is no JSON, too long, or of another type.
  if (error.statusCode !== undefined && error.statusCode < 500)
    return { status: error.statusCode, message: messageOf(error), headers: {}, more: {} };
  return { status: 500, message: "the designer has failed at this: its log says why", headers: {}, more: {} };
}
