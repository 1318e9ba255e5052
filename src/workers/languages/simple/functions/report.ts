/**
 * `${logExchange}` and `${messageHistory}` format the exchange for people (Camel:
 * MessageHelper.dumpMessageHistoryStacktrace).
 */
import { ExpressionSyntaxError } from "../../../engine/exception.ts";
import type { Exchange } from "../../../engine/exchange.ts";
import { exchangeFormatter } from "../../../engine/format-exchange.ts";
import { refuseRest } from "../arguments.ts";
import type { FunctionTable } from "../eval.ts";

/** How many characters of the body are shown. */
const bodyCharacters = 10_000;

const format = exchangeFormatter({
  plain: false,
  showAll: false,
  showExchangeId: true,
  showRouteId: false,
  showExchangePattern: false,
  showProperties: false,
  showAllProperties: false,
  showVariables: false,
  showHeaders: true,
  showBodyType: true,
  showBody: true,
  showException: false,
  showCaughtException: false,
  skipBodyLineSeparator: false,
  multiline: true,
  maxChars: bodyCharacters,
  style: "Fixed",
});

export const reportFunctions: FunctionTable = {
  logExchange: (call) => {
    refuseRest(call);
    return format;
  },
  messageHistory: (call) => {
    if (!/^(?:\((?:true|false)?\))?$/.test(call.rest)) {
      throw new ExpressionSyntaxError("write ${messageHistory} or ${messageHistory(false)}", call.index);
    }
    const detailed = call.rest !== "(false)";
    return (exchange) => history(exchange) + (detailed ? `\nExchange\n${ruler}\n${format(exchange)}\n` : "");
  },
};

const ruler = "-".repeat(135);

/** Prints one line for the route, as Camel does by default, when message history is off. */
function history({ routeId, created }: Exchange): string {
  const elapsed = String(Date.now() - created);
  const line = `${" ".repeat(41)}${cell(`${routeId}/${routeId}`, 30)} ${" ".repeat(50)} ${elapsed.padStart(12)}`;
  const head = `${cell("Source", 40)} ${cell("ID", 30)} ${cell("Processor", 50)} Elapsed (ms)`;
  return `\nMessage History (source location and message history is disabled)\n${ruler}\n${head}\n${line}\n`;
}

function cell(text: string, width: number): string {
  return text.slice(0, width).padEnd(width);
}
