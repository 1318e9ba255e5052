/** JSON text of a value, measured before it is built: a small value may hold the same list a million times over. */
import type { LimitName } from "../../shared/limits.ts";
import { FlowException, limitExceeded } from "./exception.ts";
import { Exchange, JsonText, Message } from "./exchange.ts";
import { meaning } from "./json-data.ts";
import { LazyList } from "./lazy-list.ts";
import { XmlNode } from "./xml-value.ts";

/**
 * Throws LimitExceededException when the text would be longer than `maxBytes`, which come from `limit`, or the value nests too deep to be written.
 * Values that JSON does not know: Infinity and NaN as texts (Jackson), bytes as UTF-8 text, Map as object, Set as array, exceptions as their message; `translate`, which
 * gets the holder of the value, its key and what JSON makes of it, may say otherwise. An exchange or a message is its body.
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

/** Walks the value without recursion; true when it holds something that `plain` must translate. */
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
        // What holds nothing is measured here: a list of millions of numbers must not be copied for it.
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
