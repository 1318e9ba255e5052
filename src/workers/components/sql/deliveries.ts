/**
 * Counts how often a row was under way when its thread or the runtime was lost, in the state store, so that a row that
 * ends each thread is not tried without end. Nothing is written for a row as long as threads end in order: a mark says
 * that the source runs, and who finds it there begins after a loss. From there on rows are counted one by one, until all
 * rows that were there have been offered.
 */
import { stateKey } from "../../../shared/state.ts";
import { exceptionMessage, FlowException } from "../../engine/exception.ts";
import type { StatePort } from "../../engine/flow-state.ts";
import type { SourceContext } from "../../engine/source.ts";

/** At this delivery a row goes to the error handler, and its route does not run. */
export const mostDeliveries = 5;

const running = stateKey("the source runs");
const counting = stateKey("rows are counted");
/** The deliveries that are noted; the next one is the last. */
const noted = Array.from({ length: mostDeliveries - 1 }, (_, index) => index + 1);

export class Deliveries {
  readonly #context: SourceContext;
  readonly #port: StatePort;
  readonly #name: string;
  #begun = false;
  /** true: rows are counted. */
  #careful = false;
  /** What a row without a note has behind it: one delivery when rows were not counted before the loss. */
  #behind = 0;
  #isNoted = false;

  constructor(context: SourceContext) {
    this.#context = context;
    this.#name = `sql:${context.routeId}`;
    this.#port = context.state({ kind: "idempotent", name: this.#name, evicts: true });
  }

  /** Called before rows are offered. */
  async begin(): Promise<void> {
    if (this.#begun) return;
    this.#careful = await this.#has(running);
    if (this.#careful) {
      this.#isNoted = await this.#has(counting);
      this.#behind = this.#isNoted ? 0 : 1;
    } else await this.#ask("confirm", running);
    this.#begun = true;
    if (this.#careful)
      this.#context.log(
        "WARN",
        "sql",
        `'${this.#context.routeId}' was ended in the middle: rows are counted until none is left`,
      );
  }

  /** All rows that were there have been offered, and so the one that was under way at the loss. */
  async calm(): Promise<void> {
    if (!this.#careful) return;
    await this.#ask("release", counting);
    this.#careful = false;
    this.#isNoted = false;
  }

  /** Resolves with the number of this delivery of the row. */
  async count(key: string): Promise<number> {
    if (!this.#careful) return 1;
    const found = await Promise.all(noted.map((delivery) => this.#has(keyOf(key, delivery))));
    const delivery = 1 + Math.max(found.lastIndexOf(true) + 1, this.#behind);
    if (delivery < mostDeliveries) await this.#ask("confirm", keyOf(key, delivery));
    // Only now: a thread that is lost before it has counted a row leaves all as it was.
    if (!this.#isNoted) await this.#ask("confirm", counting);
    this.#isNoted = true;
    return delivery;
  }

  /** The row's run has ended, or has not begun: it has not ended its thread. `delivery`: from `count`. */
  async forget(key: string, delivery: number): Promise<void> {
    if (!this.#careful) return;
    const own = noted.slice(0, delivery);
    await Promise.all(own.map((one) => this.#ask("release", keyOf(key, one))));
  }

  tooOften(key: string): FlowException {
    return new FlowException(
      "org.apache.camel.CamelExchangeException",
      `the row ${key} was under way each time when its thread was lost, ${mostDeliveries - 1} times: its route does not run again`,
    );
  }

  /** The source ends in order. Does not reject. */
  async end(): Promise<void> {
    if (!this.#begun) return;
    this.#begun = false;
    // After a loss the mark stays until all is through.
    if (this.#careful) return;
    await this.#ask("release", running).catch((error: unknown) =>
      this.#context.log(
        "WARN",
        "sql",
        `the end of '${this.#context.routeId}' could not be noted: ${exceptionMessage(error)}`,
      ),
    );
  }

  async #has(key: string): Promise<boolean> {
    return (await this.#ask("look", key)) === "stored";
  }

  #ask(operation: "look" | "confirm" | "release", key: string): Promise<string> {
    return this.#port.ask(undefined, operation, this.#name, key);
  }
}

function keyOf(key: string, delivery: number): string {
  return stateKey(`${key} ${delivery}`);
}
