/** What the picker offers, and in which order. */
import { type Catalog, newStep } from "../../model/index.ts";
import type { NewStep } from "../actions/edit-steps.ts";
import { titleOf } from "../titles.ts";
import { type Group, groupOf } from "./groups.ts";

/** What is picked: a step, a component that is sent to, a component that a route begins with, or a part of the document. */
export type Wanted = "step" | "trigger" | "element";

export interface PickerEntry {
  /** Names the entry: `step:setBody`, `to:http`, `kamelet:log-sink`. */
  readonly key: string;
  readonly name: string;
  readonly title: string;
  readonly group: Group;
  readonly docs: string;
}

const order: readonly Group[] = ["mappings", "message", "routing", "connectors", "formats", "errors", "time", "other"];
/** Steps that connectors stand for: who wants another URI writes it in the form. */
const connectors = new Set(["to"]);

export function pickerEntries(catalog: Catalog, wanted: Wanted): readonly PickerEntry[] {
  if (wanted === "trigger") return triggers(catalog);
  if (wanted === "element") return elements(catalog);
  const steps = catalog.steps
    .filter(({ name }) => !connectors.has(name))
    .map(
      ({ name, docs }): PickerEntry => ({
        key: `step:${name}`,
        name,
        title: titleOf(name),
        group: groupOf(name),
        docs,
      }),
    );
  const components = catalog.components
    .filter(({ producer }) => producer)
    .map(
      ({ name, docs }): PickerEntry => ({ key: `to:${name}`, name, title: titleOf(name), group: "connectors", docs }),
    );
  const kamelets = catalog.kamelets
    .filter(({ name }) => !name.endsWith("-source"))
    .map(
      ({ name, docs }): PickerEntry => ({
        key: `kamelet:${name}`,
        name,
        title: titleOf(name),
        group: "connectors",
        docs,
      }),
    );
  return [...steps, ...components, ...kamelets].sort((a, b) => order.indexOf(a.group) - order.indexOf(b.group));
}

function triggers(catalog: Catalog): readonly PickerEntry[] {
  const components = catalog.components
    .filter(({ consumer }) => consumer)
    .map(
      ({ name, docs }): PickerEntry => ({ key: `from:${name}`, name, title: titleOf(name), group: "triggers", docs }),
    );
  const kamelets = catalog.kamelets
    .filter(({ name }) => name.endsWith("-source"))
    .map(
      ({ name, docs }): PickerEntry => ({
        key: `from:kamelet:${name}`,
        name,
        title: titleOf(name),
        group: "triggers",
        docs,
      }),
    );
  return [...components, ...kamelets].sort((a, b) => Number(b.name === "webhook") - Number(a.name === "webhook"));
}

function elements(catalog: Catalog): readonly PickerEntry[] {
  return catalog.elements.map(
    ({ name, docs }): PickerEntry => ({ key: `element:${name}`, name, title: titleOf(name), group: "flow", docs }),
  );
}

/** The step that an entry stands for, with what it needs to be valid. */
export function stepOf({ key, name }: PickerEntry, catalog: Catalog): NewStep {
  if (key.startsWith("step:")) return newStep(name, catalog);
  return { to: endpointOf({ key, name }, catalog) };
}

/** The address of a component or a kamelet, with the parameters that it needs. */
export function endpointOf(
  { key, name }: Pick<PickerEntry, "key" | "name">,
  catalog: Catalog,
): Readonly<Record<string, unknown>> {
  if (key.includes("kamelet:")) {
    const kamelet = catalog.kamelets.find((one) => one.name === name);
    const needed = kamelet?.schema.required ?? [];
    const parameters = Object.fromEntries(needed.map((option) => [option, placeholders[option] ?? "value"]));
    return { uri: `kamelet:${name}`, ...(needed.length > 0 && { parameters }) };
  }
  return { uri: addresses[name] ?? `${name}:name` };
}

/** Addresses that are valid as they are, where a name would not do. */
const addresses: Readonly<Record<string, string>> = {
  controlbus: "controlbus:route?action=status&routeId=current",
  cron: "cron:tab?schedule=0/10 * * * * ?",
  file: "file:inbox",
  http: "http://example.org",
  https: "https://example.org",
  "json-validator": "json-validator:ref:name",
  language: "language:simple:${body}",
  mapping: "mapping:name",
  mustache: "mustache:ref:name",
  "platform-http": "platform-http:/hello",
  quartz: "quartz:timer?cron=0/10 * * * * ?",
  scheduler: "scheduler:name",
  sql: "sql:select 1 as one",
  "sql-stored": "sql-stored:NAME(VARCHAR :#value)",
  timer: "timer:tick?period=10000",
  webhook: "webhook",
};

/** Values of parameters of kamelets that a word would not do for. */
const placeholders: Readonly<Record<string, unknown>> = {
  brokerURL: "amqp://mq.example.org:5672",
  brokerUrl: "tcp://broker.example.org:1883",
  cron: "0/10 * * * * ?",
  expression: "${body}",
  format: "text-plain",
  period: 1000,
  port: 5672,
  remoteURI: "amqp://mq.example.org:5672",
  schedule: "0/10 * * * * ?",
  url: "https://example.org",
};
