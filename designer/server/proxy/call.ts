/**
 * Calls a flow for the page. The answer travels inside of JSON: what tenants' flows send is never a document, a script
 * or a redirect of the designer's own address.
 */
import * as z from "zod";
import type { FlowAnswer, FlowCall } from "../../shared/wire.ts";
import { limits } from "../limits.ts";
import { codeOf, Refused } from "../refused.ts";
import { refuseOddPath } from "./target-path.ts";
import type { Upstream } from "./upstream.ts";

const methods = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"] as const;
/** Those that belong to the connection. */
const refusedHeaders =
  /^(?:host|connection|content-length|transfer-encoding|upgrade|expect|keep-alive|te|trailer|proxy-.*)$/i;

export const flowCall = z.strictObject({
  method: z.enum(methods, `method: must be ${methods.join(", ")}`),
  path: z.string("path: must be a text").max(8192, "path: must have at most 8192 characters"),
  headers: z.record(z.string(), z.string("headers: must be texts")).default({}),
  body: z.string("body: must be a text").optional(),
  base64: z.boolean().default(false),
  token: z.boolean().default(true),
}) satisfies z.ZodType<FlowCall>;

/** Throws Refused, also when the runtime does not answer in time. `gone`: the browser waits no longer. */
export async function callFlow(
  { method, path, headers, body, base64, token }: z.output<typeof flowCall>,
  upstream: Upstream,
  gone: AbortSignal,
): Promise<FlowAnswer> {
  refuseOddPath(path);
  if (isManagement(path))
    throw new Refused(400, "flows have no paths below /_api: call the API at /targets/<target>/_api");
  const own = Object.keys(headers).map((name) => name.toLowerCase());
  const bad = own.find((name) => refusedHeaders.test(name));
  if (bad !== undefined) throw new Refused(400, `the header '${bad}' belongs to the connection: leave it out`);
  const sent: Record<string, string> = { ...headers };
  const { authorization } = upstream;
  if (token && authorization !== undefined && !own.includes("authorization") && !own.includes("x-api-key"))
    sent["authorization"] = authorization;
  const overdue = AbortSignal.timeout(limits.callMs);
  const began = performance.now();
  try {
    const answer = await upstream.request({
      ...{ method, path, headers: sent },
      body: body === undefined ? null : base64 ? Buffer.from(body, "base64") : body,
      signal: AbortSignal.any([gone, overdue]),
    });
    const read = await readAnswer(answer.body);
    return {
      status: answer.statusCode,
      headers: Object.entries(answer.headers).flatMap(([name, value]) =>
        [value ?? []].flat().map((one) => [name, one] as const),
      ),
      ...read,
      durationMs: Math.round((performance.now() - began) * 10) / 10,
    };
  } catch (error) {
    if (overdue.aborted)
      throw new Refused(504, `the flow has not answered in ${limits.callMs / 1000} seconds: see its runs`);
    if (["UND_ERR_INVALID_ARG", "ERR_INVALID_CHAR"].includes(codeOf(error) ?? ""))
      throw new Refused(400, "a header has a name or a value that HTTP does not allow");
    throw error;
  }
}

function isManagement(path: string): boolean {
  try {
    return decodeURIComponent(path).toLowerCase().startsWith("/_api");
  } catch {
    return true;
  }
}

async function readAnswer(body: AsyncIterable<Buffer>): Promise<Pick<FlowAnswer, "body" | "base64" | "cut">> {
  const parts: Buffer[] = [];
  let bytes = 0;
  for await (const part of body) {
    parts.push(part);
    bytes += part.length;
    if (bytes > limits.callAnswerBytes) break;
  }
  const cut = bytes > limits.callAnswerBytes;
  const kept = Buffer.concat(parts).subarray(0, limits.callAnswerBytes);
  try {
    // The cut may be in the middle of a character.
    const text = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(kept, { stream: cut });
    return { body: text, base64: false, cut };
  } catch {
    return { body: kept.toString("base64"), base64: true, cut };
  }
}
