/**
 * A body that arrives in parts. Small parts are packed into blocks: Node makes a buffer of some hundred bytes for every
 * part, so a caller who sends one byte per chunk would otherwise cost a hundred times what is counted.
 */

/** Parts of fewer bytes are packed. */
const small = 1024;
const blockBytes = 8 * 1024;

export class BodyParts {
  readonly #parts: Buffer[] = [];
  #block = Buffer.alloc(0);
  /** In the block: the end of what is in `#parts` already, and the end of what is used. */
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
