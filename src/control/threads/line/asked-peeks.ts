/** What one thread was asked to look at: the messages that wait for a source (shared/peek.ts). */

import type { Frames } from "../../../shared/frame-shape.ts";
import { objectOf } from "../../../shared/frame-values.ts";
import { controlFields } from "../../../shared/frames-to-control.ts";
import { type FrameToThread, ToThread } from "../../../shared/frames-to-thread.ts";
import { mostPeeked, type PeekAnswer, type PeekedPreview, peekedBytes } from "../../../shared/peek.ts";
import { shortened } from "./thread-frames.ts";

const { peeked } = controlFields;
/** What a message may have beside its body: names, and marks of JSON. */
const mostCharacters = 4 * peekedBytes;

export class AskedPeeks {
  readonly #send: (...frame: FrameToThread) => void;
  readonly #asked = new Map<number, (answer: PeekAnswer) => void>();
  #last = 0;

  constructor(send: (...frame: FrameToThread) => void) {
    this.#send = send;
  }

  /** Resolves with what waits for the source of the route; it does not reject. */
  ask(route: number, limit: number): Promise<PeekAnswer> {
    return new Promise((resolve) => {
      const id = ++this.#last;
      this.#asked.set(id, resolve);
      this.#send(ToThread.peek, id, route, limit);
    });
  }

  /** Reads the `peeked` frame that begins at this index. Throws for an answer that was not asked for. */
  answered(frames: Frames, at: number): void {
    const id = peeked.id(frames, at);
    const resolve = this.#asked.get(id);
    if (resolve === undefined) throw new Error("it answers a look that it was not asked for");
    this.#asked.delete(id);
    resolve(readAnswer(peeked.answer(frames, at)));
  }

  /** The thread is gone. */
  end(): void {
    for (const resolve of this.#asked.values()) resolve({ failure: "the flow's thread has ended meanwhile" });
    this.#asked.clear();
  }
}

/** The thread has spoken with a server, so its answer is read field by field. */
function readAnswer(json: string): PeekAnswer {
  const { failure, messages } = objectOf(JSON.parse(json));
  if (typeof failure === "string") return { failure: shortened(failure) };
  return { messages: (Array.isArray(messages) ? messages : []).slice(0, mostPeeked).map(readMessage) };
}

function readMessage(value: unknown): PeekedPreview {
  const { headers, body, bodyType, at, unreadable } = objectOf(value);
  const text = (one: unknown): string => String(one ?? "").slice(0, mostCharacters);
  return {
    headers: Object.fromEntries(Object.entries(objectOf(headers)).map(([name, one]) => [text(name), text(one)])),
    body: text(body),
    bodyType: shortened(text(bodyType)),
    at: typeof at === "string" ? shortened(at) : null,
    unreadable: typeof unreadable === "string" ? shortened(unreadable) : null,
  };
}
