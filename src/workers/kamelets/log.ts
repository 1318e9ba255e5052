/** Kamelets that log what passes. */
import { type KameletDefinition, type KameletProperty, text } from "./definition.ts";

const flag = (value: "true" | "false"): KameletProperty => ({ type: "boolean", default: value });

const noStreams = "a body is never a stream, and showBody says whether it is shown";

function properties(loggerName: string): Readonly<Record<string, KameletProperty>> {
  return {
    loggerName: { type: "string", default: loggerName },
    level: { type: "string", default: "INFO", enum: ["TRACE", "DEBUG", "INFO", "WARN", "ERROR", "OFF"] },
    logMask: { ...flag("false"), idle: "secrets are masked in any case" },
    marker: { ...text, only: [], why: "log events carry no marker: put it into loggerName" },
    multiline: flag("false"),
    showAllProperties: flag("false"),
    showBody: flag("true"),
    showBodyType: flag("true"),
    showExchangePattern: flag("true"),
    showHeaders: flag("false"),
    showProperties: flag("false"),
    showStreams: { ...flag("false"), idle: noStreams },
    showCachedStreams: { ...flag("true"), idle: noStreams },
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
  properties: properties(name),
  template,
}));
