/** What a run's body counts for among those that are in a thread at the same time. */

import { BodyKind } from "../../shared/protocol.ts";
import type { Invocation } from "./invocation.ts";

/** Bodies that are read into objects: numbers in a list take several times as much as their digits, and the text is there as well. */
const structuredFactor = 4;

/** In bytes, of a text in characters. A body that is in its thread already counts for nothing. */
export function bodyWeight({ bodyKind, body }: Pick<Invocation, "bodyKind" | "body">): number {
  if (body === null || bodyKind === BodyKind.held) return 0;
  const plain = bodyKind === BodyKind.text || bodyKind === BodyKind.bytes;
  return plain ? body.length : structuredFactor * body.length;
}
