/**
 * The target of a step's result: `body`, `body.order.status`, `header.NAME`, `variable.NAME` or
 * `exchangeProperty.NAME`.
 */
import { isPlainObject } from "../../engine/convert.ts";
import type { Exchange } from "../../engine/exchange.ts";
import { jsonNode } from "../../engine/json-node.ts";
import type { UseVariable } from "../../engine/shared-variables.ts";
import { setProperty, settableProblem, setVariable } from "../../engine/variables.ts";
import { withValueAt } from "./json-path.ts";

type Write = (exchange: Exchange, value: unknown) => void;

const known = "body, body.key, header.name, variable.name or exchangeProperty.name";

/** Returns why `text` is not a target; undefined when it is one. */
export function outputProblem(text: string): string | undefined {
  const { kind, name } = parse(text);
  if (text.includes("${")) return `a place is fixed, without functions: write ${known}`;
  if (writers[kind] === undefined) return `'${text.slice(0, 60)}' is no place for a result: write ${known}`;
  if (kind === "body") return bodyProblem(text, name);
  if (name === "") return `a name is missing: write ${kind}.name`;
  return kind === "variable" || kind === "variables" ? settableProblem(name) : undefined;
}

/** Throws for a text that is not a target. */
export function outputOf(text: string, useVariable: UseVariable): Write {
  const problem = outputProblem(text);
  if (problem !== undefined) throw new Error(problem);
  const { kind, name } = parse(text);
  if (writers[kind] === toVariable) useVariable(name);
  return (writers[kind] as (name: string) => Write)(name);
}

interface Place {
  readonly kind: string;
  /** The text after the first dot. */
  readonly name: string;
}

function parse(text: string): Place {
  const dot = text.indexOf(".");
  return dot < 0 ? { kind: text, name: "" } : { kind: text.slice(0, dot), name: text.slice(dot + 1) };
}

function bodyProblem(text: string, path: string): string | undefined {
  if (text === "body") return undefined;
  const keys = path.split(".");
  if (keys.length > 32) return "a path into the body has at most 32 keys";
  return keys.includes("") ? "a key is missing: write body.key or body.key.key" : undefined;
}

const toHeader =
  (name: string): Write =>
  (exchange, value) =>
    exchange.message.headers.set(name, value);
const toVariable =
  (name: string): Write =>
  (exchange, value) =>
    setVariable(exchange, name, value);
const toProperty =
  (name: string): Write =>
  (exchange, value) =>
    setProperty(exchange, name, value);

const writers: Readonly<Record<string, ((name: string) => Write) | undefined>> = Object.assign(Object.create(null), {
  body: toBody,
  header: toHeader,
  headers: toHeader,
  variable: toVariable,
  variables: toVariable,
  exchangeProperty: toProperty,
  property: toProperty,
});

function toBody(path: string): Write {
  if (path === "") {
    return ({ message }, value) => {
      message.body = value;
    };
  }
  const keys = path.split(".");
  return ({ message, run }, value) => {
    const { body } = message;
    const maxBytes = run.limits.messageBodyBytes;
    const changed = withValueAt(body, keys, value, maxBytes);
    message.body = isPlainObject(body) || Array.isArray(body) ? changed : jsonNode(changed, maxBytes);
  };
}
