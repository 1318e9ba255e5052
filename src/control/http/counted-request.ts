/** Requests that notice a body in tiny chunks: each chunk is an event, so that one write of 64 KB may be ten thousand of them. */
import { IncomingMessage } from "node:http";

/** Parts of fewer bytes cost more than their bytes. */
const tinyBytes = 16;
/** So many tiny parts of one body are no accident of how it was sent. */
const mostTiny = 1000;

/** A class of requests for Node's server; `onTiny` is called once for a request whose body comes in too many tiny parts. */
export function countedRequest(onTiny: () => void): typeof IncomingMessage {
  return class extends IncomingMessage {
    #tiny = 0;

    override push(part: unknown, encoding?: BufferEncoding): boolean {
      if (part instanceof Uint8Array && part.length < tinyBytes && ++this.#tiny === mostTiny) onTiny();
      return super.push(part, encoding);
    }
  };
}
