/**
 * Memory of large answers that nobody has read to their end. It lies outside of V8's heap, which looks for what is over only when more is
 * asked for: without this it would stay for as long as the runtime has little to do.
 */
import { type Collect, collector } from "../../shared/collector.ts";

const worthIt = 32 * 1024 * 1024;
/** Connections that are cut off together are collected together. */
const soonMs = 1000;

export class DroppedAnswers {
  #bytes = 0;
  #timer: NodeJS.Timeout | undefined;
  #collect: Collect | undefined;

  add(bytes: number): void {
    this.#bytes += bytes;
    if (this.#bytes >= worthIt) this.#timer ??= setTimeout(() => this.#free(), soonMs).unref();
  }

  #free(): void {
    this.#bytes = 0;
    this.#timer = undefined;
    this.#collect ??= collector();
    this.#collect();
  }
}
