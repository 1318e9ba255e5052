/** Looks at the messages that wait for the source of a route, for control. */
import type { Limits } from "../shared/limits.ts";
import { mostPeeked, type PeekAnswer, peekedBytes } from "../shared/peek.ts";
import type { Mask } from "../shared/secret-mask.ts";
import { exceptionMessage } from "./engine/exception.ts";
import { Headers } from "./engine/headers.ts";
import { preview } from "./engine/preview.ts";
import type { Source } from "./engine/source.ts";

/** Never rejects. `source`: of the route; undefined: it has none. */
export async function peekAt(
  source: Pick<Source, "peek"> | undefined,
  limit: number,
  limits: Limits,
  mask: Mask,
): Promise<PeekAnswer> {
  if (source?.peek === undefined) return { failure: "its messages cannot be looked at without being taken" };
  try {
    const most = Math.min(limit, mostPeeked);
    const found = await source.peek(most);
    const messages = found.slice(0, most).map(({ body, headers = [], at, unreadable }) => {
      const all = new Headers(limits);
      for (const [name, value] of headers) all.receive(name, value);
      const shown = preview(all, body, peekedBytes, mask);
      return {
        ...{ headers: shown.headers, body: shown.body, bodyType: shown.bodyType, at: at ?? null },
        unreadable: unreadable === undefined ? null : mask(exceptionMessage(unreadable), 1000),
      };
    });
    return { messages };
  } catch (error) {
    return { failure: mask(exceptionMessage(error), 1000) };
  }
}
