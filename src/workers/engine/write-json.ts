/** Writes values as JSON text, measured before it is built: a small value may contain the same list a million times. */
import type { LimitName } from "../../shared/limits.ts";
import { FlowException, limitExceeded } from "./exception.ts";
import { Exchange } from "./exchange.ts";
import { meaning } from "./json-data.ts";
import { LazyList } from "./lazy-list.ts";
import { JsonText, Message } from "./message.ts";
import { XmlNode } from "./xml-value.ts";

/**
 * Throws LimitExceededException when the text would be longer than `maxBytes`, which is the setting `limit`, or the
 * value nests too deep. Values that JSON lacks: Infinity and NaN become texts (Jackson), bytes UTF-8 text, a Map an
 * object, a Set an array, exceptions their message, an exchange or a message its body. `translate` gets the holder of
 * the value, its key and the JSON form, and may replace it.
 */
export function writeJson(
  value: unknown,
  maxBytes: number,
  indent: "" | "\t" = "",
  translate?: Translate,
  limit: LimitName = "messageBodyBytes",
): string {
  const special = measure(value, { maxBytes, limit }, indent.length);
  let text: string | undefined;
  try {
    text = JSON.stringify(value, special ? replacer(translate) : undefined, indent);
  } catch (error) {
    if (error instanceof FlowException) throw error;
    throw tooDeep();
  }
  if (text === undefined) return "null";
  if (text.length > maxBytes) throw textTooLong(maxBytes, limit);
  return text;
}

type Translate = (holder: unknown, key: string, plain: unknown) => unknown;

function replacer(translate: Translate | undefined): (this: unknown, key: string, value: unknown) => unknown {
  if (translate === undefined) return plain;
  return function (key, value) {
    return plain(key, translate(this, key, value));
  };
}

interface Most {
  readonly maxBytes: number;
  readonly limit: LimitName;
}

/** Walks the value without recursion; returns true when it contains a value that `plain` must translate. */
function measure(root: unknown, { maxBytes, limit }: Most, indent: number): boolean {
  const values: unknown[] = [root];
  const depths: number[] = [0];
  let size = 0;
  let special = false;
  while (values.length > 0) {
    const value = values.pop();
    const depth = depths.pop() as number;
    size += 1 + indent * depth;
    if (typeof value === "string") size += value.length;
    else if (typeof value === "bigint") size += value.toString().length;
    else if (typeof value === "number") special ||= !Number.isFinite(value);
    else if (typeof value === "object" && value !== null) {
      let children: Iterable<unknown>;
      if (Array.isArray(value)) {
        if (size + value.length > maxBytes) throw textTooLong(maxBytes, limit);
        children = value;
      } else if (value instanceof Uint8Array) {
        special = true;
        size += value.length;
        children = [];
      } else if (value instanceof JsonText || value instanceof Message || value instanceof Exchange) {
        special = true;
        children = [meaning(value)];
      } else if (value instanceof XmlNode) {
        children = [value.text];
      } else if (value instanceof LazyList) {
        special = true;
        children = value.toArray(maxBytes);
      } else if (value instanceof Map || value instanceof Set || value instanceof Error || value instanceof Date) {
        special = true;
        children =
          value instanceof Error || value instanceof Date
            ? []
            : value instanceof Map
              ? [...value.keys(), ...value.values()]
              : value;
      } else {
        for (const key of Object.keys(value)) size += key.length + 3;
        children = Object.values(value);
      }
      for (const child of children) {
        // Measures scalars here, so that a list of millions of numbers is not copied.
        if (typeof child === "string") size += 1 + indent * (depth + 1) + child.length;
        else if (typeof child === "number" || typeof child === "boolean" || child === null) {
          size += 1 + indent * (depth + 1);
          if (typeof child === "number" && !Number.isFinite(child)) special = true;
        } else {
          values.push(child);
          depths.push(depth + 1);
        }
      }
    }
    if (size > maxBytes) throw textTooLong(maxBytes, limit);
  }
  return special;
}

const decoder = new TextDecoder("utf-8", { ignoreBOM: true });

function plain(_key: string, value: unknown): unknown {
  if (typeof value === "number") return Number.isFinite(value) ? value : String(value);
  const meant = meaning(value);
  return meant instanceof Uint8Array ? decoder.decode(meant) : meant;
}

export function tooDeep(): FlowException {
  return new FlowException("LimitExceededException", "the value nests too deep to be written as JSON");
}

export function textTooLong(maxBytes: number, limit: LimitName = "messageBodyBytes"): FlowException {
  return limitExceeded(limit, `a value written as text has at most ${maxBytes} bytes`);
}
