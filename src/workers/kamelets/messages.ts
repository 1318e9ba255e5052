/** Kamelets that change or delay messages. */
import { type KameletDefinition, needed, text } from "./definition.ts";

function action(
  name: string,
  docs: string,
  properties: KameletDefinition["properties"],
  ...steps: readonly string[]
): KameletDefinition {
  const list = steps.map((step) => `    - ${step}`).join("\n");
  return { name, docs, properties, template: `from:\n  uri: kamelet:source\n  steps:\n${list}` };
}

export const messageKamelets: readonly KameletDefinition[] = [
  action(
    "set-body-action",
    "Sets the body.",
    { value: needed("The new body; a simple template.") },
    'setBody: { simple: "{{value}}" }',
  ),
  action(
    "insert-header-action",
    "Sets a header.",
    { name: needed("The header's name; a simple template."), value: needed("The header's value; a simple template.") },
    'setHeader: { name: "{{name}}", simple: "{{value}}" }',
  ),
  action(
    "drop-header-action",
    "Removes one header.",
    { name: needed("The header's name; case does not matter.") },
    'removeHeader: { name: "{{name}}" }',
  ),
  action(
    "drop-headers-action",
    "Removes the headers that a pattern names.",
    {
      pattern: needed("Which headers go: a name, `Camel*`, or a regular expression over the whole name."),
      excludePattern: text("What stays although `pattern` names it, written in the same way."),
    },
    'removeHeaders: { pattern: "{{pattern}}", excludePattern: "{{?excludePattern}}" }',
  ),
  action(
    "delay-action",
    "Holds each message back for a while.",
    { milliseconds: { type: "integer", required: true, words: "How long, in milliseconds." } },
    'delay: { constant: "{{milliseconds}}" }',
  ),
  action(
    "throttle-action",
    "Lets at most so many messages pass in a period; the others wait.",
    {
      messages: { type: "integer", required: true, words: "How many messages may pass in a period." },
      timePeriod: { type: "string", default: "1000", words: "The period in milliseconds." },
    },
    'throttle: { constant: "{{messages}}", timePeriodMillis: "{{timePeriod}}" }',
  ),
  action(
    "json-serialize-action",
    "Writes the body as JSON.",
    {},
    "marshal: { json: {} }",
    "setHeader: { name: Content-Type, constant: application/json }",
  ),
  action(
    "json-deserialize-action",
    "Reads the body as JSON: it becomes maps and lists.",
    {},
    "unmarshal: { json: {} }",
    "removeHeader: { name: Content-Type }",
  ),
  action(
    "data-type-action",
    "Converts the body to text or to bytes.",
    {
      scheme: {
        type: "string",
        default: "camel",
        only: ["camel"],
        why: "components bring no data types here",
        words: "Whose data types are meant: `camel`.",
      },
      format: {
        type: "string",
        required: true,
        only: ["text-plain", "application-octet-stream"],
        why: "there are text-plain and application-octet-stream; use unmarshal or marshal for others",
        words: "`text-plain` for text, `application-octet-stream` for bytes.",
      },
    },
    'setProperty: { name: CamelDataType, constant: "{{scheme}}:{{format}}" }',
    `choice:
        when: [{ simple: "'{{format}}' == 'text-plain'", steps: [{ convertBodyTo: java.lang.String }] }]
        otherwise: { steps: [{ convertBodyTo: "byte[]" }] }`,
  ),
];
