/**
 * The passage of one message through a route (Camel's Exchange and Message, with one mutable message in place of IN and
 * OUT).
 */

import { randomHex } from "../../shared/ids.ts";
import { type OwnCopy, ownCopies } from "./in-place.ts";
import type { Message } from "./message.ts";
import { NamedValues } from "./named-values.ts";
import type { Run } from "./run.ts";
import { weight } from "./weight.ts";

/**
 * An action for the end of an exchange's routing. `error`: what a failed routing threw. The exchange's caller waits for
 * the promise.
 */
export type Completion = (failed: boolean, error: unknown) => void | Promise<void>;

export interface KameletSink {
  /** The name of the kamelet's route, which alone runs them. */
  readonly name: string;
  readonly process: (exchange: Exchange) => void | Promise<void>;
  /** That of the call which this one is in. */
  readonly around: KameletSink | undefined;
}

/** InOut: the caller waits for the reply. */
export type ExchangePattern = "InOnly" | "InOut";

export class Exchange {
  readonly run: Run<Exchange>;
  readonly message: Message;
  readonly created: number = Date.now();
  /** The route in which the exchange began. */
  readonly fromRouteId: string;
  /** The present route; a `direct:` call changes it. */
  routeId: string;
  pattern: ExchangePattern = "InOnly";
  /** The present step, an index in the flow's step table. */
  step = -1;
  /** true after `stop`, or when an error handler has ended the routing: no further step runs, including those of calling routes. */
  stopped = false;
  /** An error handler has handled a failure in place of the route's remaining steps (Camel: errorHandlerHandled). */
  handled = false;
  /** An error handler has handled the failure that is being thrown, so enclosing ones ignore it. */
  failureHandled = false;
  /** The routes whose failures error handlers are handling with this exchange, the outermost one first. */
  handling: readonly string[] = [];
  /** Set by `rollback` with markRollbackOnly: the routing ends without an exception, and no step is tried again. */
  rollback = false;
  /** The present depth of `direct:` calls. */
  depth = 0;
  /** The steps inside of the call of a kamelet, for its route. */
  sink: KameletSink | undefined;
  /** The exception of a failed step, while an error handler processes it. */
  exception: unknown;
  /** Present: its source has failed with this error, so that the route's error handler gets it, and no step runs. */
  sourceFailure: { readonly error: unknown } | undefined;
  /** Present: the message has ended in a dead letter channel, after this failure of the step with this index. */
  deadLetter: { readonly error: unknown; readonly step: number } | undefined;
  /** The values of the properties CamelToEndpoint and CamelCharsetName, until the properties are first read. */
  #toEndpoint: string | undefined;
  #charset: string | undefined;
  /** Whether the body came as bytes over HTTP, though it may be held as text. */
  cameAsBytes = false;
  #id: string | undefined;
  #properties: NamedValues | undefined;
  #variables: NamedValues | undefined;
  #onDone: Completion[] | undefined;
  /** The message from the beginning of the unit of work. */
  #original: Message | undefined;

  constructor(run: Run<Exchange>, routeId: string, message: Message) {
    this.run = run;
    this.fromRouteId = routeId;
    this.routeId = routeId;
    this.message = message;
  }

  /**
   * Makes an independent copy: with a new id and its own headers, properties and variables, but the same values (Camel:
   * ExchangeHelper.createCorrelatedCopy without the property CamelCorrelationId). `run`: the run of the copy, if it is
   * another one, which never shares lists and maps; `fromRouteId`: the route that the copy begins in, if it does.
   */
  copy(run: Run<Exchange> = this.run, fromRouteId?: string): Exchange {
    return this.#copied(run, fromRouteId, isPart(run, this.run) ? undefined : ownCopies());
  }

  /** As `copy`, for a message that outlives this run: it never shares lists and maps. */
  copyApart(): Exchange {
    return this.#copied(this.run, undefined, ownCopies());
  }

  #copied(run: Run<Exchange>, fromRouteId: string | undefined, own: OwnCopy | undefined): Exchange {
    const copy = new Exchange(run, fromRouteId ?? this.fromRouteId, this.message.copy(own));
    run.traceparent ??= this.run.traceparent;
    copy.pattern = this.pattern;
    copy.sink = this.sink;
    copy.handling = this.handling;
    if (fromRouteId === undefined) {
      copy.routeId = this.routeId;
      copy.step = this.step;
    }
    copy.depth = run === this.run ? this.depth : 0;
    copy.#toEndpoint = this.#toEndpoint;
    copy.#charset = this.#charset;
    copy.cameAsBytes = this.cameAsBytes;
    if (this.#properties !== undefined) copy.#properties = this.#properties.copy(own);
    if (this.#variables !== undefined) copy.#variables = this.#variables.copy(own);
    return copy;
  }

  /**
   * Takes the state of `other`: message, properties, variables, how its routing ended (Camel:
   * ExchangeHelper.copyResults).
   */
  become(other: Exchange): void {
    if (other === this) return;
    this.message.restore(other.message.snapshot());
    if (other.#properties !== undefined)
      for (const [name, value] of other.#properties) this.properties.set(name, value);
    if (other.#variables !== undefined) for (const [name, value] of other.#variables) this.variables.set(name, value);
    this.exception = other.exception;
    if (other.#toEndpoint !== undefined) this.#toEndpoint = other.#toEndpoint;
    if (other.#charset !== undefined) this.#charset = other.#charset;
  }

  /** Keeps the present message for `original`; called at the beginning of a unit of work, in routes that may read it. */
  keepOriginal(): void {
    this.#original ??= this.message.copy();
  }

  /** Shares the unit of work of `other`. */
  shareOriginal(other: Exchange): void {
    this.#original = other.#original;
  }

  /** The message from the beginning of the unit of work; undefined in routes that do not keep it. */
  get original(): Message | undefined {
    return this.#original;
  }

  /** Registers an action for the end of the exchange's routing (Camel: Synchronization). */
  onDone(action: Completion): void {
    this.#onDone ??= [];
    this.#onDone.push(action);
  }

  /**
   * Calls the actions of `onDone`, the last one first, and resolves when those that wait have ended. The code that began
   * the exchange calls this once, and answers afterwards. Rejects with the first failure of an action that waits, when
   * all have ended: a route that had succeeded has failed then.
   */
  done(failed: boolean, error?: unknown): void | Promise<void> {
    const actions = this.#onDone;
    if (actions === undefined) return;
    this.#onDone = undefined;
    const pending = actions
      .reverse()
      .map((action) => action(failed, error))
      .filter((ended) => ended !== undefined);
    if (pending.length > 0) return settleAll(pending);
  }

  get id(): string {
    this.#id ??= `${randomHex(15).toUpperCase()}-${randomHex(16).toUpperCase()}`;
    return this.#id;
  }

  /** Names are case-sensitive (Camel). Made on first use, since most exchanges have none. */
  get properties(): NamedValues {
    this.#properties ??= new NamedValues("properties", this.run.limits);
    if (this.#toEndpoint !== undefined) {
      this.#properties.set("CamelToEndpoint", this.#toEndpoint);
      this.#toEndpoint = undefined;
    }
    if (this.#charset !== undefined) {
      this.#properties.set("CamelCharsetName", this.#charset);
      this.#charset = undefined;
    }
    return this.#properties;
  }

  /** The property CamelCharsetName, read without making the properties. */
  get charsetProperty(): unknown {
    return this.#charset ?? this.#properties?.get("CamelCharsetName");
  }

  /** Records the character set that the message came in, as the property CamelCharsetName. */
  receiveCharset(name: string): void {
    this.#charset = name;
  }

  /** Whether the value is the body, which came as bytes over HTTP and which no step has written since. */
  isAsItCame(value: unknown): boolean {
    return this.cameAsBytes && !this.message.written && value === this.message.body;
  }

  /** Records the endpoint that the message is sent to, as the property CamelToEndpoint. */
  sentTo(uri: string): void {
    this.#toEndpoint = uri;
  }

  get variables(): NamedValues {
    this.#variables ??= new NamedValues("variables", this.run.limits);
    return this.#variables;
  }

  get [weight](): number {
    return this.message[weight] + (this.#properties?.total ?? 0) + (this.#variables?.total ?? 0);
  }
}

function isPart(run: Run<Exchange>, whole: Run<Exchange>): boolean {
  return run === whole || (run.whole !== undefined && isPart(run.whole, whole));
}

/** Rejects with the first failure, when all have settled. */
async function settleAll(pending: readonly Promise<void>[]): Promise<void> {
  for (const one of await Promise.allSettled(pending)) if (one.status === "rejected") throw one.reason;
}
