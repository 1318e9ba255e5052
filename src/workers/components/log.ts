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
      loggerName: text("The logger's name in the entries."),
      level: oneOf(levels, "The level of the entries; `OFF` logs nothing.").default("INFO"),
      plain: flag("Logs the body alone; the other options then mean nothing, but for `maxChars`.").default(false),
      showAll: flag("Shows all that the other options can show.").default(false),
      showExchangeId: flag("Shows the exchange's id.").default(false),
      showRouteId: flag("Shows the id of the route.").default(false),
      showExchangePattern: flag("Shows whether a reply is expected: InOut or InOnly.").default(false),
      showProperties: flag("Shows the flow's own exchange properties.").default(false),
      showAllProperties: flag("Shows all exchange properties, those that begin with Camel too.").default(false),
      showVariables: flag("Shows the variables.").default(false),
      showHeaders: flag("Shows the message's headers; secrets are masked.").default(false),
      showBodyType: flag("Shows the type of the body, such as String.").default(true),
      showBody: flag("Shows the body.").default(true),
      showException: flag("Shows the failure that the message has, if it has one.").default(false),
      showCaughtException: flag("Shows the failure that was dealt with, if there was one.").default(false),
      skipBodyLineSeparator: flag("Takes line breaks out of the body, so that an entry is one line.").default(true),
      multiline: flag("Writes each part on a line of its own.").default(false),
      maxChars: integer("How many characters of the body, and of the whole entry, are shown; 0: all.").default(10_000),
      style: oneOf(
        ["Default", "Tab", "Fixed"],
        "What stands before each part: a comma, a tab, or a name in a column of fixed width.",
      ).default("Default"),
      logMask: only(true, "secrets are always masked: leave out logMask"),
      marker: text("A word that the entries carry as their `marker`, by which log tools can find them.").optional(),
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
  example: "to: { uri: log:orders?showHeaders=true }",
  effect: "none",
  producer({ loggerName, level, marker, ...format }, { stepIndex }) {
    if (level === "OFF") return () => {};
    const text = exchangeFormatter(isDefault(format) ? { ...format, showExchangePattern: true } : format);
    return (exchange) => {
      const { run } = exchange;
      if (run.logs(level)) run.log(stepIndex, level, loggerName, text(exchange), marker);
    };
  },
});

const on: ReadonlySet<string> = new Set(["showBodyType", "showBody", "skipBodyLineSeparator"]);

/**
 * In Camel, an endpoint without an option that differs from its default uses the common formatter, which shows the
 * pattern.
 */
function isDefault(format: Omit<ExchangeFormat, "logMask">): boolean {
  return Object.entries(format).every(([name, value]) => {
    if (name === "maxChars") return value === 10_000;
    if (name === "style") return value === "Default";
    return typeof value !== "boolean" || name === "logMask" || value === on.has(name);
  });
}
