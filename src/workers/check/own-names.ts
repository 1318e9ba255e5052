/**
 * Warns where what a step of the flow has set comes before what came with the message, unlike in Camel: names in statements,
 * and headers that address mails.
 */
import type { EndpointModel } from "../../shared/flow-model.ts";
import type { FoundEndpoint, StepDraft } from "./context.ts";
import type { Report } from "./report.ts";

/** Which statements have values by name: `:#name`, `:#in:name`. */
const statements: ReadonlySet<string> = new Set(["sql", "sql-stored"]);
const named = /:[#?](?:in:)?([A-Za-z_]\w*)/g;
const kinds: Readonly<Record<string, string>> = {
  setHeader: "header",
  setHeaders: "header",
  setProperty: "property",
  setVariable: "variable",
  setVariables: "variable",
};

/** As simple reads them. */
const spellings: Readonly<Record<string, string>> = {
  header: "header",
  property: "exchangeProperty",
  variable: "variable",
};

interface Setting {
  readonly kind: string;
  readonly step: { readonly id: string };
}

/** Warns once for each name of a statement that a step of the flow sets: a key of the body of that name is not taken. */
export function warnOfNamesInStatements(steps: readonly StepDraft[], report: Report): void {
  const set = settings(steps);
  if (set.size === 0) return;
  const said = new Set<string>();
  for (const { model, route } of steps) {
    const { endpoint } = model.options as { readonly endpoint?: EndpointModel };
    if (endpoint === undefined || !statements.has(endpoint.scheme)) continue;
    for (const name of namesIn(endpoint)) {
      const setting = set.get(name.toLowerCase());
      if (setting === undefined || said.has(name)) continue;
      said.add(name);
      const { kind, step } = setting;
      const message = `:#${name} is the ${kind} that the step '${step.id}' sets, also when the body has a key '${name}', which Camel takes first: write :#\${body.${name}} for that key, or :#\${${spellings[kind]}.${name}} to say that the ${kind} is meant`;
      report.warning("own_name", message, { at: model.at, pointer: "" }, { route, step: model });
    }
  }
}

function namesIn({ options }: EndpointModel): readonly string[] {
  const texts = Object.values(options).filter((value) => typeof value === "string");
  return texts.flatMap((text) => [...text.matchAll(named)].map(([, name = ""]) => name));
}

/** By their names in lower case; the first step that sets one. */
function settings(steps: readonly StepDraft[]): ReadonlyMap<string, Setting> {
  const found = new Map<string, Setting>();
  for (const { model } of steps) {
    const kind = kinds[model.type];
    if (kind === undefined) continue;
    const {
      name,
      headers = [],
      variables = [],
    } = model.options as {
      readonly name?: unknown;
      readonly headers?: readonly { readonly name?: unknown }[];
      readonly variables?: readonly { readonly name?: unknown }[];
    };
    for (const one of [name, ...headers.map((each) => each.name), ...variables.map((each) => each.name)]) {
      const key = nameOf(one).toLowerCase();
      if (key !== "" && !found.has(key)) found.set(key, { kind, step: model });
    }
  }
  return found;
}

/** "": only the message says the name. */
function nameOf(given: unknown): string {
  const text = typeof given === "string" ? given : ((given as { readonly text?: unknown } | undefined)?.text ?? "");
  return typeof text === "string" && !text.includes("${") ? text : "";
}

/** Whose messages bring headers of who has sent them. */
const brokers: ReadonlySet<string> = new Set(
  "activemq activemq6 amqp jms kafka paho paho-mqtt5 rabbitmq spring-rabbitmq".split(" "),
);
const taking = ["useHeaderRecipients", "useHeaderFrom", "useHeaderReplyTo"] as const;
const recipients = ["to", "cc", "bcc"] as const;

/** Warns of mails in flows that begin with a broker's message: who may send to the broker addresses them, or they have no recipients. */
export function warnOfDeliveredAddresses(
  endpoints: readonly FoundEndpoint[],
  steps: readonly StepDraft[],
  report: Report,
): void {
  const source = endpoints.find(({ role, model }) => role === "consumer" && brokers.has(model.scheme));
  if (source === undefined) return;
  const set = settings(steps);
  for (const { model, role, uri, scope } of endpoints) {
    if (role !== "producer" || !/^smtps?$/.test(model.scheme)) continue;
    const taken = taking.find((name) => model.options[name] === true);
    if (taken !== undefined) {
      const message = `with ${taken}, who may send messages to '${source.model.scheme}' addresses the mails of this flow: set the headers in steps, and leave ${taken} out, if that is not meant`;
      report.warning("delivered_address", message, uri, scope);
    } else if (!recipients.some((name) => model.options[name] !== undefined || set.has(name))) {
      const message =
        "the mail has no recipients: headers To, Cc and Bcc that came with the message do not count, unlike in Camel. Write to, set the headers in a step, or write useHeaderRecipients=true if senders may say who gets mails";
      report.warning("delivered_address", message, uri, scope);
    }
  }
}
