/** One message's passage through a route (Camel's Exchange and Message, one mutable message in place of IN and OUT). */

import { randomHex } from "../../shared/ids.ts";
import type { Limits } from "../../shared/limits.ts";
import { limitExceeded } from "./exception.ts";
import { Headers } from "./headers.ts";
import { NamedValues } from "./named-values.ts";
import { Run, type RunSink } from "./run.ts";
import { bytesOf, isLonger, weight, weightOf } from "./weight.ts";

/** An exchange without a message, for predicates that are decided before there is one. */
const deaf: RunSink<Exchange> = {
  interest: 0,
  logLevel: 0,
  recordSteps: false,
  enter() {},
  log() {},
  trace() {},
  call: () => Promise.reject(new Error("a precondition calls no route")),
};

export function blankExchange(limits: Limits): Exchange {
  return new Exchange(new Run(deaf, limits, 0, 0), "", new Message(limits, new Headers(limits), null));
}

/** JSON that came as text: it renders as that text and is read as its value; the text is parsed once. */
export class JsonText {
  readonly #text: string;
  readonly value: unknown;

  constructor(text: string, value: unknown) {
    this.#text = text;
    this.value = value;
  }

  get text(): string {
    return this.#text;
  }

  /** The text as far as it is there: measuring a message makes none. */
  get known(): string | undefined {
    return this.#text;
  }

  get [weight](): number {
    return bytesOf(this.text);
  }
}

/** A message's state, to be restored by a step that leaves the message as it was. */
export interface MessageSnapshot {
  readonly body: unknown;
  readonly written: boolean;
  readonly headers: Headers;
}

export class Message {
  readonly headers: Headers;
  #body: unknown;
  #written = false;
  readonly #limits: Limits;

  constructor(limits: Limits, headers: Headers, body: unknown) {
    this.headers = headers;
    this.#body = body;
    this.#limits = limits;
  }

  get body(): unknown {
    return this.#body;
  }

  /** Every assignment counts as written: a webhook answers `ok` until then. */
  set body(value: unknown) {
    const { messageBodyBytes } = this.#limits;
    const text = value instanceof JsonText ? value.known : value;
    if (
      typeof text === "string"
        ? isLonger(text, messageBodyBytes)
        : text instanceof Uint8Array && text.length > messageBodyBytes
    ) {
      throw limitExceeded("messageBodyBytes", `a message's body has at most ${messageBodyBytes} bytes`);
    }
    this.#body = value;
    this.#written = true;
  }

  /** Whether a step has assigned the body. */
  get written(): boolean {
    return this.#written;
  }

  /** The body itself is shared: steps replace bodies, they do not change them. */
  copy(): Message {
    const copy = new Message(this.#limits, this.headers.copy(), this.#body);
    copy.#written = this.#written;
    return copy;
  }

  snapshot(): MessageSnapshot {
    return { body: this.#body, written: this.#written, headers: this.headers.copy() };
  }

  restore({ body, written, headers }: MessageSnapshot): void {
    this.#body = body;
    this.#written = written;
    this.headers.restore(headers);
  }

  get [weight](): number {
    return this.headers.bytes + weightOf(this.#body, this.#limits.messageBodyBytes);
  }

  /** The body, a JSON text as its value: for steps that look inside. */
  get value(): unknown {
    return this.#body instanceof JsonText ? this.#body.value : this.#body;
  }
}

/** InOut: somebody waits for the reply. */
export type ExchangePattern = "InOnly" | "InOut";

export class Exchange {
  readonly run: Run<Exchange>;
  readonly message: Message;
  readonly created: number = Date.now();
  /** The route in which the exchange began. */
  readonly fromRouteId: string;
  /** The route that the exchange is in now; changes over a `direct:` call. */
  routeId: string;
  pattern: ExchangePattern = "InOnly";
  /** The step that runs now: an index into the flow's step table. */
  step = -1;
  /** Set by `stop`, and when an error handler has ended the routing: no further step runs, those of calling routes neither. */
  stopped = false;
  /** An error handler has dealt with a failure in place of the route's further steps (Camel: errorHandlerHandled). */
  handled = false;
  /** An error handler has dealt with the failure that is on its way out: those further out leave it alone. */
  failureHandled = false;
  /** Marked by `rollback` with markRollbackOnly: the routing ends without an exception, and nothing is tried again. */
  rollback = false;
  /** `direct:` calls around the exchange now. */
  depth = 0;
  /** The exception that a step failed with, while an error handler looks at it. */
  exception: unknown;
  /** The property CamelToEndpoint, until somebody looks at the properties. */
  #toEndpoint: string | undefined;
  #id: string | undefined;
  #properties: NamedValues | undefined;
  #variables: NamedValues | undefined;
  #onDone: ((failed: boolean) => void)[] | undefined;
  /** The message as it was when the unit of work began. */
  #original: Message | undefined;

  constructor(run: Run<Exchange>, routeId: string, message: Message) {
    this.run = run;
    this.fromRouteId = routeId;
    this.routeId = routeId;
    this.message = message;
  }

  /**
   * A copy that goes a way of its own: a new id, headers, properties and variables of its own, the same body
   * (Camel: ExchangeHelper.createCorrelatedCopy without the property CamelCorrelationId). `run`: when it is for another run;
   * `fromRouteId`: when it begins anew with a route.
   */
  copy(run: Run<Exchange> = this.run, fromRouteId?: string): Exchange {
    const copy = new Exchange(run, fromRouteId ?? this.fromRouteId, this.message.copy());
    copy.pattern = this.pattern;
    if (fromRouteId === undefined) {
      copy.routeId = this.routeId;
      copy.step = this.step;
    }
    copy.depth = run === this.run ? this.depth : 0;
    copy.#toEndpoint = this.#toEndpoint;
    if (this.#properties !== undefined) copy.#properties = this.#properties.copy();
    if (this.#variables !== undefined) copy.#variables = this.#variables.copy();
    return copy;
  }

  /** Becomes what `other` is: message, properties, variables, how its routing ended (Camel: ExchangeHelper.copyResults). */
  become(other: Exchange): void {
    if (other === this) return;
    this.message.restore(other.message.snapshot());
    if (other.#properties !== undefined)
      for (const [name, value] of other.#properties) this.properties.set(name, value);
    if (other.#variables !== undefined) for (const [name, value] of other.#variables) this.variables.set(name, value);
    this.exception = other.exception;
    if (other.#toEndpoint !== undefined) this.#toEndpoint = other.#toEndpoint;
  }

  /** Keeps the message as it is now for `original`: called where a unit of work begins, in routes that may ask for it. */
  keepOriginal(): void {
    this.#original ??= this.message.copy();
  }

  /** Both have the same unit of work. */
  shareOriginal(other: Exchange): void {
    this.#original = other.#original;
  }

  /** The message with which the unit of work began; undefined where nobody keeps it. */
  get original(): Message | undefined {
    return this.#original;
  }

  /** To be called when the exchange's routing is over, and whether it failed (Camel: Synchronization). */
  onDone(action: (failed: boolean) => void): void {
    this.#onDone ??= [];
    this.#onDone.push(action);
  }

  /** Calls what `onDone` was given, last first; called once, by whoever began the exchange. */
  done(failed: boolean): void {
    const actions = this.#onDone;
    if (actions === undefined) return;
    this.#onDone = undefined;
    for (const action of actions.reverse()) action(failed);
  }

  get id(): string {
    this.#id ??= `${randomHex(15).toUpperCase()}-${randomHex(16).toUpperCase()}`;
    return this.#id;
  }

  /** Names with case (Camel). Made on first use: most exchanges have none. */
  get properties(): NamedValues {
    this.#properties ??= new NamedValues("properties", this.run.limits);
    if (this.#toEndpoint !== undefined) {
      this.#properties.set("CamelToEndpoint", this.#toEndpoint);
      this.#toEndpoint = undefined;
    }
    return this.#properties;
  }

  /** Notes the endpoint that the message is sent to, as the property CamelToEndpoint. */
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
