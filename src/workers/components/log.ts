/** The `log` component (Camel: LogEndpoint 4.22). */
import { levels } from "../../shared/protocol.ts";
import { defineComponent } from "../engine/component.ts";
import { type ExchangeFormat, exchangeFormatter } from "../engine/format-exchange.ts";

const noThroughput = "throughput logging is not possible yet: leave it out (see the run history for counts)";
const noStreams = "a message's body is never a stream, a file or a future here: leave it out";

export const log = defineComponent({
  scheme: "log",
  docs: "Logs the message, as `Exchange[ExchangePattern: InOnly, BodyType: String, Body: hello]`; the message goes on unchanged. The pattern is shown when no option asks for anything else than by default.",
  path: "loggerName",
  options: (z, { text, flag, integer, oneOf, only, refused }) =>
    z.object({
      loggerName: text(),
      level: oneOf(levels).default("INFO"),
      plain: flag().default(false),
      showAll: flag().default(false),
      showExchangeId: flag().default(false),
      showRouteId: flag().default(false),
      showExchangePattern: flag().default(false),
      showProperties: flag().default(false),
      showAllProperties: flag().default(false),
      showVariables: flag().default(false),
      showHeaders: flag().default(false),
      showBodyType: flag().default(true),
      showBody: flag().default(true),
      showException: flag().default(false),
      showCaughtException: flag().default(false),
      skipBodyLineSeparator: flag().default(true),
      multiline: flag().default(false),
      maxChars: integer().default(10_000),
      style: oneOf(["Default", "Tab", "Fixed"]).default("Default"),
      logMask: only(true, "secrets are always masked: leave out logMask"),
      marker: refused("log events carry no marker: put it into the logger's name"),
      showRouteGroup: refused("routes have no groups here: leave it out"),
      showStackTrace: refused("stack traces are not logged: use showException"),
      showStreams: refused(noStreams),
      showCachedStreams: refused(noStreams),
      showFiles: refused(noStreams),
      showFuture: refused(noStreams),
      groupSize: refused(noThroughput),
      groupInterval: refused(noThroughput),
      groupDelay: refused(noThroughput),
      groupActiveOnly: refused(noThroughput),
      exchangeFormatter: refused("there are no beans: use the show... options"),
      sourceLocationLoggerName: refused("each log event has its step's id: leave it out"),
      lazyStartProducer: refused("producers are made when the flow is deployed: leave it out"),
    }),
  example: "to: log:orders?showHeaders=true",
  producer({ loggerName, level, ...format }, { stepIndex }) {
    if (level === "OFF") return () => {};
    const text = exchangeFormatter(isDefault(format) ? { ...format, showExchangePattern: true } : format);
    return (exchange) => {
      const { run } = exchange;
      if (run.logs(level)) run.log(stepIndex, level, loggerName, text(exchange));
    };
  },
});

const on: ReadonlySet<string> = new Set(["showBodyType", "showBody", "skipBodyLineSeparator"]);

/** Camel: without an option that differs from its default the endpoint has no formatter of its own, and the common one shows the pattern. */
function isDefault(format: Omit<ExchangeFormat, "logMask">): boolean {
  return Object.entries(format).every(([name, value]) => {
    if (name === "maxChars") return value === 10_000;
    if (name === "style") return value === "Default";
    return typeof value !== "boolean" || name === "logMask" || value === on.has(name);
  });
}
