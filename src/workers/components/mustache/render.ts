/** Renders a template with the values of an exchange, as Camel's library does (com.github.mustachejava 0.9). */
import type { Limits } from "../../../shared/limits.ts";
import { asValue, isPlainObject } from "../../engine/convert.ts";
import { exceptionMessage } from "../../engine/exception.ts";
import type { Exchange } from "../../engine/exchange.ts";
import { Headers } from "../../engine/headers.ts";
import { TextBuilder } from "../../engine/text-builder.ts";
import { Budget } from "../../languages/budget.ts";
import type { Escaping } from "./escapes.ts";
import type { Name, Part } from "./template.ts";

/** What names begin with, as functions of the exchange (Camel: ExchangeHelper.populateVariableMap). */
export type Names = Readonly<Record<string, (exchange: Exchange) => unknown>>;

export const namesOfMessages: Names = {
  body: ({ message }) => message.body,
  header: ({ message }) => message.headers,
  headers: ({ message }) => message.headers,
  variable: ({ variables }) => variables,
  variables: ({ variables }) => variables,
  exception: ({ exception, properties }) => exception ?? properties.get("CamelExceptionCaught"),
};
/** With those of allowContextMapAll. */
export const namesOfExchanges: Names = {
  ...namesOfMessages,
  exchangeProperty: ({ properties }) => properties,
  exchangeProperties: ({ properties }) => properties,
  in: messageMap,
  request: messageMap,
};

function messageMap({ message: { body, headers } }: Exchange): unknown {
  return new Map(Object.entries({ body, headers }));
}

/** A value whose members are in reach of names, and those around it. */
interface Scope {
  readonly value: unknown;
  /** Returns undefined for a value without the member. */
  member(name: string): unknown;
  readonly around: Scope | undefined;
}

/** Throws LimitExceededException for a text beyond a message's size, and after `scriptMs`. */
export function renderTemplate(
  parts: readonly Part[],
  exchange: Exchange,
  { names, escaping }: { readonly names: Names; readonly escaping: Escaping },
): string {
  const renderer = new Renderer(exchange.run.limits, escaping);
  const member = (name: string): unknown => (Object.hasOwn(names, name) ? names[name]?.(exchange) : undefined);
  renderer.write(parts, { value: undefined, member, around: undefined });
  return renderer.text;
}

class Renderer {
  readonly #budget: Budget;
  readonly #escaping: Escaping;
  readonly #output: TextBuilder;

  constructor(limits: Limits, escaping: Escaping) {
    this.#budget = new Budget(limits, "mustache");
    this.#escaping = escaping;
    this.#output = new TextBuilder(limits.messageBodyBytes, () => this.#budget.tooLarge());
  }

  get text(): string {
    return this.#output.text;
  }

  write(parts: readonly Part[], scope: Scope): void {
    for (const part of parts) {
      this.#budget.tick();
      if (part.kind === "text") this.#output.append(part.text);
      else if (part.kind === "value") this.#value(valueNamed(part.name, scope), part.escaped);
      else this.#section(part, scope);
    }
  }

  #value(value: unknown, escaped: boolean): void {
    const shown = value instanceof Headers ? new Map(value.entries()) : value;
    const { maxBytes } = this.#budget;
    this.#output.append(this.#escaping[escaped ? "escaped" : "plain"](shown, maxBytes));
  }

  #section({ name, inverted, parts }: Part & { readonly kind: "section" }, scope: Scope): void {
    const value = asValue(valueNamed(name, scope));
    const elements = value instanceof Set ? [...value] : value;
    const empty = isNothing(elements) || (Array.isArray(elements) && elements.length === 0);
    if (inverted || empty) {
      if (inverted && empty) this.write(parts, scope);
    } else if (Array.isArray(elements)) {
      for (const element of elements) this.write(parts, inside(element, scope));
    } else this.write(parts, inside(value, scope));
  }
}

function inside(value: unknown, around: Scope): Scope {
  return { value, around, member: (name) => memberOf(value, name) };
}

function isNothing(value: unknown): boolean {
  return value === null || value === undefined || value === false || value === "";
}

/** Finds the first part of the name in the closest scope that has it, and the others below that; undefined for none. */
function valueNamed(name: Name, scope: Scope): unknown {
  const [first, ...others] = name;
  if (first === undefined) return scope.value;
  for (let at: Scope | undefined = scope; at !== undefined; at = at.around) {
    const found = at.member(first);
    if (found === undefined) continue;
    let value: unknown = found;
    for (const other of others) value = memberOf(value, other);
    return value;
  }
  return undefined;
}

/** Returns undefined for a value without the member. Of prototypes and methods, nothing is a member. */
function memberOf(holder: unknown, name: string): unknown {
  if (holder instanceof Headers) return holder.has(name) ? (holder.get(name) ?? null) : undefined;
  if (holder instanceof Error) return name === "message" ? exceptionMessage(holder) : undefined;
  const value = asValue(holder);
  if (value instanceof Map) return value.has(name) ? (value.get(name) ?? null) : undefined;
  if (Array.isArray(value)) return name === "size" ? value.length : undefined;
  if (typeof value === "string") return name === "length" ? value.length : undefined;
  return isPlainObject(value) && Object.hasOwn(value, name) ? (value[name] ?? null) : undefined;
}
