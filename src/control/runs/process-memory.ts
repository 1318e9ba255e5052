/** The memory of the whole process: above its bound nothing new begins, so that what is under way can end. */
import { totalmem } from "node:os";
import { AppError } from "../../shared/errors.ts";

const lookMs = 200;
/** Of what the machine, or the container, has. */
const share = 0.8;
/** It is over when there is this much room again. */
const roomy = 0.95;

const MiB = 1024 * 1024;

export class ProcessMemory {
  /** Resident, in bytes. */
  readonly most: number;
  used = 0;
  /** Nothing new is to begin. */
  over = false;
  readonly #changed: (over: boolean, message: string) => void;
  readonly #timer: NodeJS.Timeout;

  /** `limit`: what the operator allows; the machine allows four fifths of what it has. `changed` is told once each time. */
  constructor(limit: number, changed: (over: boolean, message: string) => void) {
    this.most = Math.min(limit, Math.floor(share * machineBytes()));
    this.#changed = changed;
    this.#timer = setInterval(() => this.look(process.memoryUsage.rss()), lookMs).unref();
  }

  look(bytes: number): void {
    this.used = bytes;
    const over = bytes > this.most * (this.over ? roomy : 1);
    if (over === this.over) return;
    this.over = over;
    this.#changed(over, this.message);
  }

  get message(): string {
    const figures = `the process has ${Math.round(this.used / MiB)} MiB of the ${Math.round(this.most / MiB)} MiB that it may have (processMemoryBytes)`;
    if (!this.over) return `${figures}: new runs begin again`;
    return `${figures}: new webhook runs and stream readers are refused, timers skip their ticks`;
  }

  /** Throws `overloaded`. */
  refuse(): void {
    if (!this.over) return;
    const message = "the runtime is short of memory, and takes nothing new until some has ended: try again later";
    throw new AppError("overloaded", message, { "Retry-After": "5" });
  }

  stop(): void {
    clearInterval(this.#timer);
  }
}

/** Of the control group, when there is one with a limit. */
function machineBytes(): number {
  const total = totalmem();
  const constrained = process.constrainedMemory();
  return constrained > 0 && constrained < total ? constrained : total;
}
