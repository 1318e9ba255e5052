/** The `log` step (Camel: LogProcessor). */
import { levels } from "../../shared/protocol.ts";
import { defineStep } from "../engine/step.ts";

export const log = defineStep({
  name: "log",
  docs: "Writes a line of log; the message is a simple template, evaluated only when the level is on.",
  short: "message",
  options: (z, { template, text, oneOf, refused }) =>
    z.object({
      message: template("The text that is logged; a simple template: `order ${header.id}`."),
      loggingLevel: oneOf(levels, "How important the entry is; `OFF` logs nothing.").default("INFO"),
      logName: template("The logger's name in the entry; a simple template. By default the route's id.").optional(),
      logger: refused("there are no logger beans: name the logger with logName"),
      marker: text("A word that the entry carries as its `marker`, by which log tools can find it.").optional(),
      logLanguage: refused("log messages are simple templates: evaluate other languages into a variable and log that"),
    }),
  example: 'log: { message: "Order ${header.orderId}: ${body}", loggingLevel: WARN }',
  compile({ message, loggingLevel, logName, marker }, { stepIndex, text }) {
    const render = text(message);
    // "" means the route's id (Camel's default logger name).
    const logger = logName === undefined ? () => "" : text(logName);
    if (loggingLevel === "OFF") return () => {};
    return (exchange) => {
      const { run } = exchange;
      if (run.logs(loggingLevel)) run.log(stepIndex, loggingLevel, logger(exchange), render(exchange), marker);
    };
  },
});
