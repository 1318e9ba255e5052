/**
 * Large bodies of answers over HTTP leave the thread as the bytes that are sent, in memory of their own that changes hands: the main
 * thread neither copies nor encodes them. A small one is quicker as it is.
 */
import { BodyKind, largeBody } from "../shared/protocol.ts";
import type { WireBody } from "./bodies.ts";

export function asBytes(answer: WireBody): WireBody {
  const { kind, body } = answer;
  if (body === null || body.length < largeBody) return answer;
  // Bytes are copied: steps that go on behind the answer may still have them.
  if (typeof body !== "string") return moved(kind, Uint8Array.from(body));
  const structured = kind === BodyKind.json || (kind !== BodyKind.text && /^[[{]/.test(body));
  return moved(structured ? BodyKind.jsonBytes : BodyKind.textBytes, encoder.encode(body));
}

const encoder = new TextEncoder();

function moved(kind: BodyKind, body: Uint8Array<ArrayBuffer>): WireBody {
  return { kind, body, moved: body.buffer };
}
