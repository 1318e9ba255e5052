/** Kamelets that start a route on a schedule. */
import { type KameletDefinition, needed } from "./definition.ts";

const timerSource: KameletDefinition = {
  name: "timer-source",
  docs: "Makes a message again and again.",
  properties: {
    period: { type: "integer", default: "1000", words: "Milliseconds between two messages." },
    message: needed("The body of each message."),
    contentType: { type: "string", default: "text/plain", words: "The header Content-Type of each message." },
    repeatCount: { type: "integer", words: "How many messages there are; without it there is no end." },
  },
  template: `from:
  uri: timer:tick
  parameters: { period: "{{period}}", repeatCount: "{{?repeatCount}}" }
  steps:
    - setBody: { constant: "{{message}}" }
    - setHeader: { name: Content-Type, constant: "{{contentType}}" }
    - to: kamelet:sink`,
};

const cronSource: KameletDefinition = {
  name: "cron-source",
  docs: "Makes a message at the times of a schedule.",
  properties: {
    schedule: needed("When, in five fields from the minutes on, or with seconds before them: `0 30 2 * * ?`."),
    message: needed("The body of each message."),
  },
  template: `from:
  uri: cron:tick
  parameters: { schedule: "{{schedule}}" }
  steps:
    - setBody: { constant: "{{message}}" }
    - to: kamelet:sink`,
};

const chuckNorrisSource: KameletDefinition = {
  name: "chuck-norris-source",
  docs: "Asks api.chucknorris.io for a joke again and again; each is a message.",
  properties: { period: { type: "integer", default: "10000", words: "Milliseconds between two jokes." } },
  template: `from:
  uri: timer:chuck
  parameters: { period: "{{period}}" }
  steps:
    - to: https://api.chucknorris.io/jokes/random
    - removeHeaders: "*"
    - setBody: { jsonpath: "$.value" }
    - to: kamelet:sink`,
};

export const sourceKamelets = [timerSource, cronSource, chuckNorrisSource];
