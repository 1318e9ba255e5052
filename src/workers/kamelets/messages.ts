/** Kamelets that change or hold back a message. */
import { type KameletDefinition, needed, text } from "./definition.ts";

function action(
  name: string,
  properties: KameletDefinition["properties"],
  ...steps: readonly string[]
): KameletDefinition {
  const list = steps.map((step) => `    - ${step}`).join("\n");
  return { name, properties, template: `from:\n  uri: kamelet:source\n  steps:\n${list}` };
}

export const messageKamelets: readonly KameletDefinition[] = [
  action("set-body-action", { value: needed }, 'setBody: { simple: "{{value}}" }'),
  action(
    "insert-header-action",
    { name: needed, value: needed },
    'setHeader: { name: "{{name}}", simple: "{{value}}" }',
  ),
  action("drop-header-action", { name: needed }, 'removeHeader: { name: "{{name}}" }'),
  action(
    "drop-headers-action",
    { pattern: needed, excludePattern: text },
    'removeHeaders: { pattern: "{{pattern}}", excludePattern: "{{?excludePattern}}" }',
  ),
  action(
    "delay-action",
    { milliseconds: { type: "integer", required: true } },
    'delay: { constant: "{{milliseconds}}" }',
  ),
  action(
    "throttle-action",
    { messages: { type: "integer", required: true }, timePeriod: { type: "string", default: "1000" } },
    'throttle: { constant: "{{messages}}", timePeriodMillis: "{{timePeriod}}" }',
  ),
  action(
    "json-serialize-action",
    {},
    "marshal: { json: {} }",
    "setHeader: { name: Content-Type, constant: application/json }",
  ),
  action("json-deserialize-action", {}, "unmarshal: { json: {} }", "removeHeader: { name: Content-Type }"),
  action(
    "data-type-action",
    {
      scheme: { type: "string", default: "camel", only: ["camel"], why: "components bring no data types here" },
      format: {
        type: "string",
        required: true,
        only: ["text-plain", "application-octet-stream"],
        why: "there are text-plain and application-octet-stream; use unmarshal or marshal for others",
      },
    },
    'setProperty: { name: CamelDataType, constant: "{{scheme}}:{{format}}" }',
    `choice:
        when: [{ simple: "'{{format}}' == 'text-plain'", steps: [{ convertBodyTo: java.lang.String }] }]
        otherwise: { steps: [{ convertBodyTo: "byte[]" }] }`,
  ),
];
