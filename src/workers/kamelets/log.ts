/** Kamelets that log messages. */
import { type KameletDefinition, text, type WordedProperty } from "./definition.ts";

function flag(value: "true" | "false", words: string): WordedProperty {
  return { type: "boolean", default: value, words };
}

function idle(value: "true" | "false", why: string): WordedProperty {
  return { ...flag(value, `No effect: ${why}.`), idle: why };
}

const noMarker = "log events carry no marker: put it into loggerName";
const noStreams = "a body is never a stream, and showBody says whether it is shown";

function properties(loggerName: string): Readonly<Record<string, WordedProperty>> {
  return {
    loggerName: { type: "string", default: loggerName, words: "The logger's name in the entries." },
    level: {
      type: "string",
      default: "INFO",
      enum: ["TRACE", "DEBUG", "INFO", "WARN", "ERROR", "OFF"],
      words: "The level of the entries; `OFF` logs nothing.",
    },
    logMask: idle("false", "secrets are masked in any case"),
    marker: { ...text(`Refused: ${noMarker}.`), only: [], why: noMarker },
    multiline: flag("false", "Writes each part on a line of its own."),
    showAllProperties: flag("false", "Shows all exchange properties, those that begin with Camel too."),
    showBody: flag("true", "Shows the body."),
    showBodyType: flag("true", "Shows the type of the body, such as String."),
    showExchangePattern: flag("true", "Shows whether a reply is expected: InOut or InOnly."),
    showHeaders: flag("false", "Shows the message's headers; secrets are masked."),
    showProperties: flag("false", "Shows the flow's own exchange properties."),
    showStreams: idle("false", noStreams),
    showCachedStreams: idle("true", noStreams),
  };
}

const template = `from:
  uri: kamelet:source
  steps:
    - to:
        uri: log
        parameters:
          loggerName: "{{loggerName}}"
          level: "{{level}}"
          multiline: "{{multiline}}"
          showAllProperties: "{{showAllProperties}}"
          showBody: "{{showBody}}"
          showBodyType: "{{showBodyType}}"
          showExchangePattern: "{{showExchangePattern}}"
          showHeaders: "{{showHeaders}}"
          showProperties: "{{showProperties}}"`;

export const logKamelets: readonly KameletDefinition[] = ["log-sink", "log-action"].map((name) => ({
  name,
  docs: name === "log-sink" ? "Logs messages, at the end of a route." : "Logs messages, which then go on.",
  properties: properties(name),
  template,
}));
