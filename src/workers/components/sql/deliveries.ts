/**
 * Counts how often a row was under way when its thread was lost, in the state store, so that a row that ends each thread
 * is not tried without end. Nothing is written for a row as long as threads end in order: a mark says that the source runs,
 * and who finds it there begins after a loss. From there on rows are counted one by one, until a poll has found no more.
 */
import { stateKey } from "../../../shared/state.ts";
import { exceptionMessage, FlowException } from "../../engine/exception.ts";
import type { StatePort } from "../../engine/flow-state.ts";
import type { SourceContext } from "../../engine/source.ts";

/** At this delivery a row goes to the error handler, and its route does not run. */
export const mostDeliveries = 5;

const running = stateKey("the source runs");

export class Deliveries {
  readonly #context: SourceContext;
  readonly #port: StatePort;
  readonly #name: string;
  #begun = false;
  /** true: rows are counted. */
  #careful = false;

  constructor(context: SourceContext) {
    this.#context = context;
    this.#name = `sql:${context.routeId}`;
    this.#port = context.state({ kind: "idempotent", name: this.#name, evicts: true });
  }

  /** Called before rows are offered. */
  async begin(): Promise<void> {
    if (this.#begun) return;
    const found = await this.#ask("look", running);
    this.#careful = found === "stored";
    if (!this.#careful) await this.#ask("confirm", running);
    this.#begun = true;
    if (this.#careful)
      this.#context.log(
        "WARN",
        "sql",
        `'${this.#context.routeId}' was ended in the middle: rows are counted until none is left`,
      );
  }

  /** A poll has found the last row: the one that was under way at the loss has been offered. */
  calm(): void {
    this.#careful = false;
  }

  /** Resolves with the number of this delivery of the row. */
  async count(key: string): Promise<number> {
    if (!this.#careful) return 1;
    // The delivery that was lost first was not counted.
    let delivery = 2;
    while (delivery < mostDeliveries && (await this.#ask("look", keyOf(key, delivery))) === "stored") delivery += 1;
    if (delivery < mostDeliveries) await this.#ask("confirm", keyOf(key, delivery));
    return delivery;
  }

  /** The row's run has ended. */
  async forget(key: string): Promise<void> {
    if (!this.#careful) return;
    for (let delivery = 2; delivery < mostDeliveries; delivery++) await this.#ask("release", keyOf(key, delivery));
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

  #ask(operation: "look" | "confirm" | "release", key: string): Promise<string> {
    return this.#port.ask(undefined, operation, this.#name, key);
  }
}

function keyOf(key: string, delivery: number): string {
  return stateKey(`${key} ${delivery}`);
}
