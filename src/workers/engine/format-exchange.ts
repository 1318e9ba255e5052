/** Formats an exchange as text for a log (Camel 4.22: DefaultExchangeFormatter). */

import { redactHeader } from "../../shared/redact.ts";
import { boundedText } from "./bounded-text.ts";
import { exceptionMessage, exceptionType } from "./exception.ts";
import type { Exchange } from "./exchange.ts";
import { textIn } from "./message-text.ts";
import { shortType } from "./preview.ts";

export interface ExchangeFormat {
  readonly plain: boolean;
  readonly showAll: boolean;
  readonly showExchangeId: boolean;
  readonly showRouteId: boolean;
  readonly showExchangePattern: boolean;
  readonly showProperties: boolean;
  readonly showAllProperties: boolean;
  readonly showVariables: boolean;
  readonly showHeaders: boolean;
  readonly showBodyType: boolean;
  readonly showBody: boolean;
  readonly showException: boolean;
  readonly showCaughtException: boolean;
  readonly skipBodyLineSeparator: boolean;
  readonly multiline: boolean;
  /** The most characters of the body, and of the whole text (of each line with multiline); 0 or less: no limit. */
  readonly maxChars: number;
  readonly style: "Default" | "Tab" | "Fixed";
}

/** The most characters of a header's, property's or variable's value. */
const valueCharacters = 10_000;

export function exchangeFormatter(format: ExchangeFormat): (exchange: Exchange) => string {
  const { plain, multiline, maxChars } = format;
  if (plain) return (exchange) => bodyText(exchange, maxChars);
  return (exchange) => {
    const parts = partsOf(exchange, format).map(([label, text]) => labelled(label, text, format));
    if (multiline) return `Exchange[${parts.map((part) => `\n${cut(part, maxChars)}`).join("")}\n]`;
    const line = parts.join("");
    // Like Camel, cuts before it removes the leading comma.
    const whole = cut(line, maxChars);
    return `Exchange[${whole.startsWith(", ") ? whole.slice(2) : whole}]`;
  };
}

type Part = readonly [label: string, text: string];

function partsOf(exchange: Exchange, format: ExchangeFormat): Part[] {
  const { showAll, maxChars } = format;
  const { message } = exchange;
  const parts: Part[] = [];
  if (showAll || format.showExchangeId) parts.push(["Id", exchange.id]);
  if (showAll || format.showRouteId) parts.push(["RouteId", exchange.routeId]);
  if (showAll || format.showExchangePattern) parts.push(["ExchangePattern", exchange.pattern]);
  if (showAll || format.showAllProperties) parts.push(["Properties", mapText(exchange.properties)]);
  else if (format.showProperties) parts.push(["Properties", mapText(ownProperties(exchange))]);
  if (showAll || format.showVariables) parts.push(["Variables", mapText(exchange.variables)]);
  if (showAll || format.showHeaders) parts.push(["Headers", mapText(message.headers.entries())]);
  if (showAll || format.showBodyType) parts.push(["BodyType", shortType(message.body)]);
  if (showAll || format.showBody) {
    const body = bodyText(exchange, maxChars);
    parts.push(["Body", format.skipBodyLineSeparator ? body.replaceAll("\n", "") : body]);
  }
  if (showAll || format.showException || format.showCaughtException) parts.push(...exceptionParts(exchange, format));
  return parts;
}

/** Lists the properties without Camel's internal ones. */
function ownProperties({ properties }: Exchange): [string, unknown][] {
  return [...properties].filter(([name]) => !name.startsWith("Camel"));
}

function exceptionParts(
  { exception, properties }: Exchange,
  { showAll, showException, showCaughtException }: ExchangeFormat,
): Part[] {
  if (exception !== undefined && (showAll || showException)) {
    return [
      ["ExceptionType", exceptionType(exception)],
      ["ExceptionMessage", exceptionMessage(exception)],
    ];
  }
  const caught = showAll || showCaughtException ? properties.get("CamelExceptionCaught") : undefined;
  if (caught === undefined || exception !== undefined) return [];
  return [
    ["CaughtExceptionType", exceptionType(caught)],
    ["CaughtExceptionMessage", exceptionMessage(caught)],
  ];
}

function labelled(label: string, text: string, { style, multiline }: ExchangeFormat): string {
  if (style === "Tab") return `\t${label}: ${text}`;
  if (style === "Fixed") return `\t${label.padEnd(20)}${text}`;
  return multiline ? `  ${label}: ${text}` : `, ${label}: ${text}`;
}

/** Java's `{a=1, b=2}`, sorted regardless of case. */
function mapText(entries: Iterable<readonly [string, unknown]>): string {
  const sorted = [...entries].sort(([a], [b]) => (a.toLowerCase() < b.toLowerCase() ? -1 : 1));
  return `{${sorted.map(([name, value]) => `${name}=${memberText(name, value)}`).join(", ")}}`;
}

function memberText(name: string, value: unknown): string {
  return value === null || value === undefined ? "null" : redactHeader(name, boundedText(value, valueCharacters));
}

/** Camel: MessageHelper.extractBodyForLogging. */
function bodyText(exchange: Exchange, maxChars: number): string {
  const { body } = exchange.message;
  if (body === null || body === undefined) return "[Body is null]";
  const text = textIn(exchange, body);
  if (maxChars <= 0 || text.length <= maxChars) return text;
  return `${text.slice(0, maxChars)}... [Body clipped after ${maxChars} chars, total length is ${text.length}]`;
}

function cut(text: string, maxChars: number): string {
  return maxChars <= 0 || text.length <= maxChars ? text : `${text.slice(0, maxChars)}...`;
}
