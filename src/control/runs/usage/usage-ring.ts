/** Usage by steps of equal length, the last `steps` of them. Memory is allocated in blocks, for times with usage. */
import { addPeriod, usageWidth } from "./usage-counters.ts";

interface Block {
  /** The block's number, counted from the epoch. */
  readonly number: number;
  readonly values: Float64Array;
}

export class UsageRing {
  readonly #stepMs: number;
  readonly #perBlock: number;
  readonly #blocks: (Block | undefined)[];

  /** `steps`: how many it covers, the current one included; `perBlock` of them are allocated together. */
  constructor(stepMs: number, steps: number, perBlock: number) {
    this.#stepMs = stepMs;
    this.#perBlock = perBlock;
    this.#blocks = new Array<Block | undefined>(Math.ceil(steps / perBlock) + 1).fill(undefined);
  }

  /** Adds a period to the step that `at` (epoch ms) is in. */
  add(at: number, period: Float64Array): void {
    const step = Math.floor(at / this.#stepMs);
    const number = Math.floor(step / this.#perBlock);
    const place = number % this.#blocks.length;
    let block = this.#blocks[place];
    // The clock was set back: newer blocks stay.
    if (block !== undefined && block.number > number) return;
    if (block?.number !== number) {
      block = { number, values: new Float64Array(this.#perBlock * usageWidth) };
      this.#blocks[place] = block;
    }
    const offset = (step - number * this.#perBlock) * usageWidth;
    const one = block.values.subarray(offset, offset + usageWidth);
    addPeriod(one, period, 0, false);
  }

  /** Adds the steps from the one that `from` is in to that of `to` (epoch ms) to `into`. */
  sum(from: number, to: number, into: Float64Array): void {
    const first = Math.floor(from / this.#stepMs);
    const last = Math.floor(to / this.#stepMs);
    for (const block of this.#blocks) {
      if (block === undefined) continue;
      const begin = block.number * this.#perBlock;
      for (let step = Math.max(first, begin); step <= Math.min(last, begin + this.#perBlock - 1); step += 1)
        addPeriod(into, block.values, (step - begin) * usageWidth, false);
    }
  }

  /** Frees blocks that end before `from` (epoch ms); returns whether none is left. */
  forget(from: number): boolean {
    const first = Math.floor(from / this.#stepMs / this.#perBlock);
    this.#blocks.forEach((block, place) => {
      if (block !== undefined && block.number < first) this.#blocks[place] = undefined;
    });
    return this.#blocks.every((block) => block === undefined);
  }
}
