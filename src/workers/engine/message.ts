/** One mutable message, in place of Camel's IN and OUT, and the JSON text that a body may be. */
import type { Limits } from "../../shared/limits.ts";
import { Attachments } from "./attachments.ts";
import { limitExceeded } from "./exception.ts";
import type { Headers } from "./headers.ts";
import { fix, type OwnCopy } from "./in-place.ts";
import { bytesOf, isLonger, weight, weightOf } from "./weight.ts";

/** JSON that came as text. It renders as that text and is read as its value, which is parsed once, and which nobody else may have. */
export class JsonText {
  readonly #text: string;
  readonly value: unknown;

  constructor(text: string, value: unknown) {
    this.#text = text;
    this.value = fix(value);
  }

  get text(): string {
    return this.#text;
  }

  /** The text if it exists already: measuring a message does not create it. */
  get known(): string | undefined {
    return this.#text;
  }

  get [weight](): number {
    return bytesOf(this.text);
  }
}

/** A message's state, for a step that restores the message afterwards. */
export interface MessageSnapshot {
  readonly body: unknown;
  readonly written: boolean;
  readonly headers: Headers;
  /** Left out: the attachments stay as they are. */
  readonly attachments?: Attachments | undefined;
}

export class Message {
  readonly headers: Headers;
  #body: unknown;
  #written = false;
  readonly #limits: Limits;
  #attachments: Attachments | undefined;

  constructor(limits: Limits, headers: Headers, body: unknown) {
    this.headers = headers;
    this.#body = body;
    this.#limits = limits;
  }

  get body(): unknown {
    return this.#body;
  }

  /** Each assignment marks the body as written: a webhook without a written body answers `ok`. */
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

  /** Shares the values with the copy, unless `own` copies them, too. */
  copy(own?: OwnCopy): Message {
    const body = own === undefined ? this.#body : own(this.#body);
    const copy = new Message(this.#limits, this.headers.copy(own), body);
    copy.#written = this.#written;
    copy.#attachments = this.#copied();
    return copy;
  }

  snapshot(): MessageSnapshot {
    return { body: this.#body, written: this.#written, headers: this.headers.copy(), attachments: this.#copied() };
  }

  restore(saved: MessageSnapshot): void {
    this.#body = saved.body;
    this.#written = saved.written;
    this.headers.restore(saved.headers);
    if ("attachments" in saved) this.#attachments = saved.attachments;
  }

  /** Made on first use, since few messages have any. */
  get attachments(): Attachments {
    this.#attachments ??= new Attachments(this.#limits);
    return this.#attachments;
  }

  get hasAttachments(): boolean {
    return this.#attachments !== undefined && this.#attachments.size > 0;
  }

  #copied(): Attachments | undefined {
    return this.hasAttachments ? new Attachments(this.#limits, this.#attachments) : undefined;
  }

  get [weight](): number {
    const attached = this.#attachments?.[weight] ?? 0;
    return this.headers.bytes + attached + weightOf(this.#body, this.#limits.messageBodyBytes);
  }

  /** The body, with a JSON text as its value, for steps that look into it. */
  get value(): unknown {
    return this.#body instanceof JsonText ? this.#body.value : this.#body;
  }
}
