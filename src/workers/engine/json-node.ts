/** Objects and lists that an expression has made of JSON (Camel: Jackson's JsonNode). */
import { JsonText } from "./exchange.ts";
import { FormBody } from "./form.ts";
import { weight, weightOf } from "./weight.ts";
import { writeJson } from "./write-json.ts";

/** Is looked into like a map or a list, and is its JSON text wherever a text is wanted; the text is made when it first is. */
export class JsonNode extends JsonText {
  readonly #maxBytes: number;
  #text: string | undefined;

  /** `maxBytes`: what a message's body may have. */
  constructor(value: object, maxBytes: number) {
    super("", value);
    this.#maxBytes = maxBytes;
  }

  /** Throws LimitExceededException for a text that is longer than a body may be. */
  override get text(): string {
    this.#text ??= writeJson(this.value, this.#maxBytes);
    return this.#text;
  }

  override get known(): string | undefined {
    return this.#text;
  }

  /** A part of it: of a node, objects and lists are nodes, too. */
  part(value: unknown): unknown {
    return jsonNode(value, this.#maxBytes);
  }

  /** What it holds: elements of a list, values of an object. */
  parts(): readonly unknown[] {
    return Object.values(this.value as object).map((value) => this.part(value));
  }

  override get [weight](): number {
    return this.#text === undefined ? weightOf(this.value, this.#maxBytes) : super[weight];
  }
}

/** An object or a list as a node; any other value, and what is one of the runtime's own already, as it is. */
export function jsonNode(value: unknown, maxBytes: number): unknown {
  return typeof value === "object" && value !== null && !(value instanceof JsonText)
    ? new JsonNode(value, maxBytes)
    : value;
}

/** The elements of a list that an expression has made as well; undefined for what is no list. */
export function elementsOf(value: unknown): readonly unknown[] | undefined {
  if (Array.isArray(value)) return value;
  return value instanceof JsonNode && Array.isArray(value.value) ? value.parts() : undefined;
}

/** A changed copy of `before`: of JSON it is JSON, of a map or a list one of these. */
export function changedCopy(before: unknown, after: unknown, maxBytes: number): unknown {
  return before instanceof JsonText && !(before instanceof FormBody) ? jsonNode(after, maxBytes) : after;
}
