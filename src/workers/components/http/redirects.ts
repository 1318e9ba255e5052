/** followRedirects (Apache's client: RedirectExec, DefaultRedirectStrategy); every hop is a request of its own, checked like the first. */
import { FlowException, limitExceeded } from "../../engine/exception.ts";
import type { HttpRequest } from "./client.ts";
import type { RawAnswer } from "./exchange-once.ts";
import { encodeHttpUri } from "./uri-text.ts";

const redirects: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);
const ofBody: ReadonlySet<string> = new Set(["content-type", "content-encoding"]);
/** Headers that identify the caller: they are not sent on to another server. */
const confidential: ReadonlySet<string> = new Set(["authorization", "cookie", "host"]);

/** Rejects with LimitExceededException after `most` redirects. */
export async function followed(
  first: HttpRequest,
  most: number,
  send: (request: HttpRequest) => Promise<RawAnswer>,
): Promise<RawAnswer> {
  let request = first;
  for (let hops = 0; ; hops++) {
    const answer = await send(request);
    const next = nextRequest(request, answer);
    if (next === undefined) return answer;
    if (hops === most) {
      throw limitExceeded("outboundRedirects", `${first.url.origin} redirects more than ${most} times`);
    }
    request = next;
  }
}

/** undefined: the answer is no redirect. */
function nextRequest(request: HttpRequest, { status, headers }: RawAnswer): HttpRequest | undefined {
  const location = headers.find(([name]) => name.toLowerCase() === "location")?.[1];
  if (!redirects.has(status) || location === undefined) return undefined;
  const url = URL.parse(encodeHttpUri(Buffer.from(location, "latin1").toString()), request.url.href);
  if (url === null) {
    throw new FlowException(
      "java.net.ProtocolException",
      `the server redirects to '${location.slice(0, 200)}', no URL`,
    );
  }
  const { method } = request;
  const asGet = status === 303 ? method !== "GET" && method !== "HEAD" : status < 303 && method === "POST";
  const left = (name: string): boolean =>
    (asGet && ofBody.has(name)) || (url.origin !== request.url.origin && confidential.has(name));
  return {
    url,
    method: asGet ? "GET" : method,
    headers: request.headers.filter((_, i, all) => !left((all[i - (i % 2)] as string).toLowerCase())),
    body: asGet ? undefined : request.body,
  };
}
