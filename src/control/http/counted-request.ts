/**
 * Requests that count tiny chunks of a body: each chunk is an event, so one write of 64 KB may be ten thousand of them.
 */
import { IncomingMessage } from "node:http";

/** A part of fewer bytes costs more to handle than its bytes do. */
const tinyBytes = 16;
/** A body with so many tiny parts was split on purpose. */
const mostTiny = 1000;

/**
 * Makes a class of requests for Node's server; `onTiny` is called once for a request whose body comes in too many tiny
 * parts.
 */
export function countedRequest(onTiny: () => void): typeof IncomingMessage {
  return class extends IncomingMessage {
    #tiny = 0;

    override push(part: unknown, encoding?: BufferEncoding): boolean {
      if (part instanceof Uint8Array && part.length < tinyBytes && ++this.#tiny === mostTiny) onTiny();
      return super.push(part, encoding);
    }
  };
}
