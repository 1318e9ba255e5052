/** Kamelets that begin a route by the clock. */
import { type KameletDefinition, needed } from "./definition.ts";

const timerSource: KameletDefinition = {
  name: "timer-source",
  properties: {
    period: { type: "integer", default: "1000" },
    message: needed,
    contentType: { type: "string", default: "text/plain" },
    repeatCount: { type: "integer" },
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
  properties: { schedule: needed, message: needed },
  template: `from:
  uri: cron:tick
  parameters: { schedule: "{{schedule}}" }
  steps:
    - setBody: { constant: "{{message}}" }
    - to: kamelet:sink`,
};

export const sourceKamelets = [timerSource, cronSource];
