/** Resolves the variables and functions of an xpath (Camel: MessageVariableResolver, XPathBuilder's functions). */
import { asText } from "../../engine/convert.ts";
import type { Exchange } from "../../engine/exchange.ts";
import type { LanguageContext } from "../../engine/language.ts";
import type { Expression } from "../../engine/processor.ts";
import { XmlNode } from "../../engine/xml-value.ts";
import type { Budget } from "../budget.ts";
import type { Evaluation, XPathValue } from "./library.ts";

const inMessage = "http://camel.apache.org/xml/in/";
const functions = "http://camel.apache.org/xml/function/";
const exchangeProperty = "http://camel.apache.org/xml/variables/exchange-property";

/** Prefixes that need no declaration. */
export const camelNamespaces: Readonly<Record<string, string>> = {
  in: inMessage,
  out: "http://camel.apache.org/xml/out/",
  function: functions,
  env: "http://camel.apache.org/xml/variables/environment-variables",
  system: "http://camel.apache.org/xml/variables/system-properties",
};

type Resolvers = (exchange: Exchange, budget: Budget) => Pick<Evaluation, "variables" | "functions">;

export function nameResolvers(context: LanguageContext): Resolvers {
  const simple = simpleCache(context);
  return (exchange, budget) => ({
    variables: (name, namespace) => value(variable(exchange, name, namespace), exchange),
    functions(name, namespace) {
      if (name === "concat" && namespace === "") return concatWithin(budget);
      const call = messageFunction(name, namespace, exchange, context, simple);
      return call === undefined
        ? undefined
        : (_: unknown, ...given: XPathValue[]) => value(call(given[0]?.stringValue() ?? ""), exchange);
    },
  });
}

function variable(exchange: Exchange, name: string, namespace: string): unknown {
  const { headers, body } = exchange.message;
  if (namespace === exchangeProperty) return exchange.properties.get(name);
  if (namespace === inMessage) return headers.get(name) ?? (name === "body" ? body : undefined);
  return namespace ? undefined : (headers.get(name) ?? exchange.properties.get(name));
}

type Call = (argument: string) => unknown;

/** Finds a function of the message. Without a prefix, all function names are accepted. */
function messageFunction(
  name: string,
  namespace: string,
  exchange: Exchange,
  context: LanguageContext,
  simple: (text: string) => Expression,
): Call | undefined {
  const { message } = exchange;
  const calls: Readonly<Record<string, readonly [namespace: string, call: Call]>> = {
    body: [inMessage, () => message.body],
    header: [inMessage, (header) => message.headers.get(header)],
    properties: [functions, (key) => context.property(key)],
    simple: [functions, (text) => simple(text)(exchange)],
  };
  const [own, call] = (Object.hasOwn(calls, name) ? calls[name] : undefined) ?? [];
  return namespace === own || namespace === "" ? call : undefined;
}

/** How many simple texts stay compiled. */
const maxKept = 32;

function simpleCache(context: LanguageContext): (text: string) => Expression {
  const kept = new Map<string, Expression>();
  return (text) => {
    const known = kept.get(text);
    if (known !== undefined) return known;
    const made = context.language("simple")?.expression(text, {}, context) ?? (() => null);
    if (kept.size === maxKept) kept.clear();
    kept.set(text, made);
    return made;
  };
}

/** The standard concat, with a check of the result's length. */
function concatWithin(budget: Budget): (context: unknown, ...parts: XPathValue[]) => string {
  return (_, ...parts) => {
    if (parts.length < 2) throw new Error("concat needs two texts or more");
    let text = "";
    for (const part of parts) {
      text += part.stringValue();
      budget.checkSize(text.length);
    }
    return text;
  };
}

function value(found: unknown, { run }: Exchange): unknown {
  if (found === null || found === undefined) return "";
  if (found instanceof XmlNode) return found.node;
  if (Array.isArray(found) && found.length > 0 && found.every((one) => one instanceof XmlNode))
    return found.map((one) => one.node);
  return typeof found === "number" || typeof found === "boolean" ? found : asText(found, run.limits.messageBodyBytes);
}
