/** Objects and lists that an expression has made of JSON (Camel: Jackson's JsonNode). */

import { FormBody } from "./form.ts";
import { fixedCopy } from "./in-place.ts";
import { JsonText } from "./message.ts";
import { weight, weightOf } from "./weight.ts";
import { writeJson } from "./write-json.ts";

/** Read like a map or a list, and rendered as its JSON text, which is made on first use. */
export class JsonNode extends JsonText {
  readonly #maxBytes: number;
  #text: string | undefined;

  /** `maxBytes`: the limit of a message's body. */
  constructor(value: object, maxBytes: number) {
    super("", fixedCopy(value));
    this.#maxBytes = maxBytes;
  }

  /** Throws LimitExceededException for a text beyond the limit of a body. */
  override get text(): string {
    this.#text ??= writeJson(this.value, this.#maxBytes);
    return this.#text;
  }

  override get known(): string | undefined {
    return this.#text;
  }

  /** Wraps a part of it: objects and lists become nodes, too. */
  part(value: unknown): unknown {
    return jsonNode(value, this.#maxBytes);
  }

  /** Returns the elements of a list, or the values of an object. */
  parts(): readonly unknown[] {
    return Object.values(this.value as object).map((value) => this.part(value));
  }

  override get [weight](): number {
    return this.#text === undefined ? weightOf(this.value, this.#maxBytes) : super[weight];
  }
}

/** Wraps an object or a list; other values, and values of the runtime, are returned unchanged. */
export function jsonNode(value: unknown, maxBytes: number): unknown {
  return typeof value === "object" && value !== null && !(value instanceof JsonText)
    ? new JsonNode(value, maxBytes)
    : value;
}

/** Returns the elements of a list or of a node that is a list; undefined for other values. */
export function elementsOf(value: unknown): readonly unknown[] | undefined {
  if (Array.isArray(value)) return value;
  return value instanceof JsonNode && Array.isArray(value.value) ? value.parts() : undefined;
}

/** Gives a changed copy the kind of `before`: a node if that was a node, else a plain map or list. */
export function changedCopy(before: unknown, after: unknown, maxBytes: number): unknown {
  return before instanceof JsonText && !(before instanceof FormBody) ? jsonNode(after, maxBytes) : after;
}
