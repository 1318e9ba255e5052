/** A queue: messages that wait in the flow's thread for the consuming route (Camel: SedaEndpoint, SedaConsumer). */
import { exceptionType, FlowException } from "../../engine/exception.ts";
import type { Exchange } from "../../engine/exchange.ts";
import type { FlowScope, Held } from "../../engine/flow-scope.ts";
import type { Polled } from "../../engine/poller.ts";
import type { Offer } from "../../engine/source.ts";
import { Askers } from "./askers.ts";
import { Queued, type Sent } from "./queued.ts";

const purging = "its consumer has purgeWhenStopping";
const notConsumed = "no started route consumes it";

export interface QueueConsumer {
  readonly routeId: string;
  readonly concurrent: number;
  readonly purgeWhenStopping: boolean;
  /** Called with the number of messages that wait. */
  readonly backlog: (messages: number) => void;
  /** Present: its route is started. */
  offer: Offer | undefined;
}

/** Services for a producer of the queue. */
type Sender = Pick<FlowScope, "hold" | "room" | "log">;

export class SedaQueue {
  /** `seda:orders` */
  readonly name: string;
  readonly #defaultSize: number;
  readonly #consumers: QueueConsumer[] = [];
  #waiting = new Set<Queued>();
  readonly #askers = new Askers<Queued>();
  /** true: an endpoint of the flow's text polls it. */
  #polled = false;
  /** Messages that are being consumed. */
  #busy = 0;
  #size: number | undefined;
  #multiple: boolean | undefined;
  #halted = false;
  #onSpace: (() => void)[] = [];

  constructor(name: string, defaultSize: number) {
    this.name = name;
    this.#defaultSize = defaultSize;
  }

  /** true: the queue can be dropped. */
  get unused(): boolean {
    return this.#consumers.length + this.#waiting.size + this.#askers.size + this.#onSpace.length === 0;
  }

  /** true: a started route consumes it. */
  get consumed(): boolean {
    return this.#consumers.some(({ offer }) => offer !== undefined);
  }

  /** Throws if another endpoint of the same queue sets another size. */
  resize(size: number): void {
    if (this.#size !== undefined && this.#size !== size) {
      throw new Error(`'${this.name}' has size=${this.#size} already: write the same size wherever the queue is named`);
    }
    this.#size = size;
  }

  /** Throws for a second consumer, unless all of them have `multiple`. */
  join(consumer: QueueConsumer, multiple: boolean): void {
    const other = this.#consumers[0]?.routeId;
    if (other !== undefined && this.#multiple !== multiple) {
      throw new Error(
        `route '${other}' consumes '${this.name}' with multipleConsumers=${this.#multiple}: write it at all of its consumers`,
      );
    }
    if (other !== undefined && !multiple) {
      throw new Error(
        `'${this.name}' is already consumed by route '${other}': write multipleConsumers=true at both to have a copy each`,
      );
    }
    this.#multiple = multiple;
    this.#consumers.push(consumer);
  }

  start(consumer: QueueConsumer, offer: Offer): void {
    consumer.offer = offer;
    this.#next();
  }

  /** Messages that no consumer has taken wait until it is started again, unless it has purgeWhenStopping. */
  pause(consumer: QueueConsumer, log: FlowScope["log"]): void {
    consumer.offer = undefined;
    if (consumer.purgeWhenStopping) this.#purge(`'${this.name}' is purged`, purging, log);
  }

  /**
   * `exchange`: the copy to keep; `parent`: the exchange that is sent; `waits`: its sender waits for the outcome. Returns the reason without a place: the queue is
   * full, or the thread has the most announced runs.
   */
  offer(exchange: Exchange, parent: Exchange, sender: Sender, waits: boolean): Sent | "full" | FlowException {
    if (this.#leftToPolls) return this.#accept(exchange, [], waits);
    if (this.#halted && !this.consumed) return this.#discard(sender);
    if (this.#waiting.size >= (this.#size ?? this.#defaultSize)) return "full";
    const held = this.#hold(parent, sender);
    return held instanceof FlowException ? held : this.#accept(exchange, held, waits);
  }

  #accept(exchange: Exchange, held: readonly Held[], waits: boolean): Sent {
    const queued = new Queued(exchange, held, !waits);
    this.#waiting.add(queued);
    this.#next();
    this.#changed();
    return {
      ended: queued.settled.promise,
      get failed() {
        return queued.failed;
      },
      remove: () => this.#remove(queued),
    };
  }

  /** An endpoint polls it, so that its messages are wanted without a consumer. */
  willBePolled(): void {
    this.#polled = true;
  }

  /** true: the flow ends, and only steps of its runs take messages. They hold no places, which would delay that end. */
  get #leftToPolls(): boolean {
    return this.#halted && this.#polled && !this.consumed;
  }

  /**
   * Takes the next message for a step that polls (Camel: SedaPollingConsumer). `waitMs` as of `Poller.poll`. The sender
   * that waits for a reply gets that of the exchange that took the message.
   */
  async take(waitMs: number, signal: AbortSignal): Promise<Polled | undefined> {
    const [next] = this.#waiting;
    if (next !== undefined) return this.#polledBy(next);
    if (waitMs === 0) return undefined;
    const given = await this.#askers.ask(waitMs, signal, (queued) => this.#putBack(queued));
    return given === undefined ? undefined : this.#polledBy(given);
  }

  #putBack(queued: Queued): void {
    this.#waiting = new Set([queued, ...this.#waiting]);
    this.#next();
    this.#changed();
  }

  /** Resolves when a message has left the queue. */
  space(): Promise<void> {
    return new Promise((resolve) => this.#onSpace.push(resolve));
  }

  /** The flow ends: drops messages that no route will consume, so that the drain does not wait for them. */
  halt(log: FlowScope["log"]): void {
    this.#halted = true;
    const purge = this.#consumers.some(({ purgeWhenStopping }) => purgeWhenStopping);
    if (this.consumed && !purge) return;
    if (this.#leftToPolls) for (const queued of this.#waiting) queued.withdraw();
    else this.#purge(`'${this.name}' ends with its flow`, purge ? purging : notConsumed, log);
  }

  /** No run of the flow is under way: drops what steps have not polled. */
  end(log: FlowScope["log"]): void {
    if (this.#leftToPolls) this.#purge(`'${this.name}' ends with its flow`, notConsumed, log);
  }

  #purge(what: string, why: string, log: FlowScope["log"]): void {
    const dropped = this.#waiting.size;
    for (const queued of this.#waiting) queued.drop(`${what}: ${why}`);
    this.#waiting.clear();
    this.#notifySpace();
    const level = why === purging ? "INFO" : "WARN";
    if (dropped > 0) log(level, "runtime", `${dropped} messages of '${this.name}' are dropped: ${why}`);
  }

  /** Reserves a place for each run of the message, or none when there are too few. */
  #hold(parent: Exchange, sender: Sender): readonly Held[] | FlowException {
    const held: Held[] = [];
    try {
      do held.push(sender.hold(parent));
      while (held.length < this.#consumers.length);
      return held;
    } catch (error) {
      for (const place of held) place.withdraw();
      if (error instanceof FlowException && exceptionType(error).endsWith("RejectedExecutionException")) return error;
      throw error;
    }
  }

  #discard(sender: Sender): Sent {
    const why = `a message to '${this.name}' is dropped: the flow ends, and no started route consumes it`;
    sender.log("WARN", "runtime", why);
    const ended = Promise.reject(new FlowException("java.util.concurrent.RejectedExecutionException", why));
    ended.catch(() => {});
    return { ended, remove() {} };
  }

  #remove(queued: Queued): void {
    if (!this.#waiting.delete(queued)) return;
    queued.drop("it was taken out of the queue");
    this.#notifySpace();
  }

  #polledBy(queued: Queued): Polled {
    this.#waiting.delete(queued);
    queued.withdraw();
    this.#notifySpace();
    return {
      message: queued.exchange,
      settle({ exchange, failed, error }) {
        if (failed) queued.fail(exchange, error);
        else queued.settled.resolve(exchange);
      },
    };
  }

  /** Passes messages to steps that wait for one, then to free consumers. */
  #next(): void {
    for (const queued of this.#waiting) {
      if (!this.#askers.give(queued)) break;
      this.#waiting.delete(queued);
    }
    const places = this.#consumers.reduce(
      (sum, { offer, concurrent }) => sum + (offer === undefined ? 0 : concurrent),
      0,
    );
    for (const queued of this.#waiting) {
      if (this.#busy >= places) return;
      this.#waiting.delete(queued);
      this.#busy += 1;
      void this.#consume(queued).finally(() => {
        this.#busy -= 1;
        this.#next();
      });
      this.#notifySpace();
    }
  }

  async #consume(queued: Queued): Promise<void> {
    const { exchange, held, keeps, settled } = queued;
    const runs = held.flatMap((place, index) => {
      const offer = this.#consumers[index]?.offer;
      if (offer !== undefined) return [offer({ exchange, place, keeps })];
      place.withdraw();
      return [];
    });
    const [only] = await Promise.all(runs);
    if (this.#multiple === true || only === undefined) settled.resolve(undefined);
    else if (only.outcome === "done") settled.resolve(only.exchange);
    else queued.fail(only.outcome === "failed" ? only.exchange : undefined, only.error);
  }

  #changed(): void {
    for (const { backlog } of this.#consumers) backlog(this.#waiting.size);
  }

  #notifySpace(): void {
    this.#changed();
    for (const look of this.#onSpace.splice(0)) look();
  }
}
