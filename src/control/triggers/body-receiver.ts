/** Collects the body of a request as it arrives. */

/** Parts of fewer bytes are packed. */
const small = 1024;
const blockBytes = 8 * 1024;

/**
 * A body that arrives in parts. Small parts are packed into blocks: Node makes a buffer of some hundred bytes for every
 * part, so a caller who sends one byte per chunk would otherwise cost a hundred times what is counted.
 */
class BodyParts {
  readonly #parts: Buffer[] = [];
  #block = Buffer.alloc(0);
  /** Offsets in the block: the end of the bytes that are in `#parts` already, and the end of the used bytes. */
  #from = 0;
  #used = 0;

  add(part: Buffer): void {
    if (part.length >= small) {
      this.#close();
      this.#parts.push(part);
      return;
    }
    if (part.length > this.#block.length - this.#used) {
      this.#close();
      this.#block = Buffer.allocUnsafeSlow(blockBytes);
      this.#from = 0;
      this.#used = 0;
    }
    this.#used += part.copy(this.#block, this.#used);
  }

  whole(): Buffer {
    this.#close();
    return Buffer.concat(this.#parts);
  }

  #close(): void {
    if (this.#used > this.#from) this.#parts.push(this.#block.subarray(this.#from, this.#used));
    this.#from = this.#used;
  }
}

/** Collects the body of one request. A class to extend, so that a call costs no further object. */
export class BodyReceiver {
  #first: Buffer | undefined;
  #more: BodyParts | undefined;

  addToBody(part: Buffer): void {
    if (this.#more !== undefined) this.#more.add(part);
    else if (this.#first === undefined) this.#first = part;
    else {
      this.#more = new BodyParts();
      this.#more.add(this.#first);
      this.#more.add(part);
    }
  }

  /** undefined: no byte has arrived. */
  wholeBody(): Buffer | undefined {
    if (this.#more !== undefined) this.#first = this.#more.whole();
    this.#more = undefined;
    return this.#first;
  }

  dropBody(): void {
    this.#first = undefined;
    this.#more = undefined;
  }
}
