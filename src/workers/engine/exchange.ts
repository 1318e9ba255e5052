/** One message's passage through a route (Camel's Exchange and Message, one mutable message in place of IN and OUT). */

import { randomHex } from "../../shared/ids.ts";
import type { Limits } from "../../shared/limits.ts";
import { FlowException } from "./exception.ts";
import type { Headers } from "./headers.ts";
import type { Run } from "./run.ts";

/** JSON that came as text: it renders as that text and is read as its value; the text is parsed once. */
export class JsonText {
  readonly text: string;
  readonly value: unknown;

  constructor(text: string, value: unknown) {
    this.text = text;
    this.value = value;
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
  readonly #maxBody: number;

  constructor(limits: Limits, headers: Headers, body: unknown) {
    this.headers = headers;
    this.#body = body;
    this.#maxBody = limits.messageBodyBytes;
  }

  get body(): unknown {
    return this.#body;
  }

  /** Every assignment counts as written: a webhook answers `ok` until then. */
  set body(value: unknown) {
    if ((typeof value === "string" || value instanceof Uint8Array) && value.length > this.#maxBody) {
      throw new FlowException("LimitExceededException", `a message's body has at most ${this.#maxBody} bytes`);
    }
    this.#body = value;
    this.#written = true;
  }

  /** Whether a step has assigned the body. */
  get written(): boolean {
    return this.#written;
  }

  snapshot(): MessageSnapshot {
    return { body: this.#body, written: this.#written, headers: this.headers.copy() };
  }

  restore({ body, written, headers }: MessageSnapshot): void {
    this.#body = body;
    this.#written = written;
    this.headers.restore(headers);
  }

  /** The body, a JSON text as its value: for steps that look inside. */
  get value(): unknown {
    return this.#body instanceof JsonText ? this.#body.value : this.#body;
  }
}

/** InOut: somebody waits for the reply. */
export type ExchangePattern = "InOnly" | "InOut";

export class Exchange {
  readonly run: Run;
  readonly message: Message;
  readonly created: number = Date.now();
  /** The route in which the exchange began. */
  readonly fromRouteId: string;
  /** The route that the exchange is in now; changes over a `direct:` call. */
  routeId: string;
  pattern: ExchangePattern = "InOnly";
  /** The step that runs now: an index into the flow's step table. */
  step = -1;
  /** Set by `stop`: no further step runs, those of calling routes neither. */
  stopped = false;
  /** The exception that a step failed with, while an error handler looks at it. */
  exception: unknown;
  #id: string | undefined;
  #properties: Map<string, unknown> | undefined;
  #variables: Map<string, unknown> | undefined;

  constructor(run: Run, routeId: string, message: Message) {
    this.run = run;
    this.fromRouteId = routeId;
    this.routeId = routeId;
    this.message = message;
  }

  get id(): string {
    this.#id ??= `${randomHex(15).toUpperCase()}-${randomHex(16).toUpperCase()}`;
    return this.#id;
  }

  /** Names with case (Camel). Made on first use: most exchanges have none. */
  get properties(): Map<string, unknown> {
    this.#properties ??= new Map();
    return this.#properties;
  }

  get variables(): Map<string, unknown> {
    this.#variables ??= new Map();
    return this.#variables;
  }
}
