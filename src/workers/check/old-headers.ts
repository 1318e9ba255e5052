/**
 * Headers that direct a component under the names that Camel had for them before: they have no effect any more, since a
 * caller over HTTP could set them. Warns of steps that set one, with the name of today.
 */
import type { ExpressionModel } from "../../shared/flow-model.ts";
import type { StepDraft } from "./context.ts";
import type { Report } from "./report.ts";

/** By component: the old names, and how today's name is made of one. A component joins with a line. */
const renamed: readonly (readonly [names: readonly string[], today: (name: string) => string])[] = [
  [
    [
      ...["KEY", "PARTITION_KEY", "PARTITION", "TOPIC", "OVERRIDE_TOPIC", "OVERRIDE_TIMESTAMP", "OFFSET", "TIMESTAMP"],
      ...["HEADERS", "LAST_RECORD_BEFORE_COMMIT", "LAST_POLL_RECORD", "MANUAL_COMMIT", "RECORD_META"],
    ].map((name) => `kafka.${name}`),
    (name) => `CamelKafka${pascal(name.slice("kafka.".length))}`,
  ],
  // Renamed in Camel 3 already.
  [
    [
      ...["ROUTING_KEY", "EXCHANGE_NAME", "EXCHANGE_OVERRIDE_NAME", "CONTENT_TYPE", "CONTENT_ENCODING", "PRIORITY"],
      ...["DELIVERY_TAG", "DELIVERY_MODE", "MESSAGE_ID", "CORRELATIONID", "USERID"],
      ...[
        "CLUSTERID",
        "REQUEST_TIMEOUT",
        "REPLY_TO",
        "TYPE",
        "EXPIRATION",
        "TIMESTAMP",
        "APP_ID",
        "REQUEUE",
        "MANDATORY",
      ],
    ].map((name) => `rabbitmq.${name}`),
    (name) => `CamelRabbitmq${pascal(name.slice("rabbitmq.".length)).replace(/id$/, "Id")}`,
  ],
];

const todays = new Map(
  renamed.flatMap(([names, today]) => names.map((name) => [name.toLowerCase(), today(name)] as const)),
);

/** Returns today's name of a header; undefined: the name is not an old one. */
export function todaysHeader(name: string): string | undefined {
  return todays.get(name.toLowerCase());
}

export function warnOfOldHeaders(steps: readonly StepDraft[], report: Report): void {
  for (const { model, route } of steps) {
    for (const { text, at } of namesSet(model)) {
      const today = todaysHeader(text);
      if (today === undefined) continue;
      const message = `the header '${text}' has no effect: its name is ${today} today`;
      report.warning("old_header", message, { at, pointer: "" }, { route, step: model });
    }
  }
}

function namesSet({ type, options }: StepDraft["model"]): readonly ExpressionModel[] {
  const { name, headers = [] } = options as {
    readonly name?: ExpressionModel;
    readonly headers?: readonly { readonly name: ExpressionModel }[];
  };
  if (type === "setHeader" && name !== undefined) return [name];
  return type === "setHeaders" ? headers.map((one) => one.name) : [];
}

/** `OVERRIDE_TOPIC` -> `OverrideTopic` */
function pascal(name: string): string {
  return name
    .toLowerCase()
    .split("_")
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join("");
}
