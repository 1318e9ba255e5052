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

/** The step that an entry stands for. */
export function stepOf({ key, name }: PickerEntry, catalog: Catalog): NewStep {
  if (key.startsWith("step:")) return newStep(name, catalog);
  return { to: endpointOf({ key, name }, catalog) };
}

/** The address of a component or a kamelet. What the user has to say is left out, and the form shows it as missing. */
export function endpointOf(
  { key, name }: Pick<PickerEntry, "key" | "name">,
  catalog: Catalog,
): Readonly<Record<string, unknown>> {
  if (key.includes("kamelet:")) return { uri: `kamelet:${name}` };
  const { required = [], properties = {} } = catalog.components.find((one) => one.name === name)?.schema ?? {};
  // The first option is what stands in the address itself.
  const isNeeded = required.includes(Object.keys(properties)[0] ?? "");
  return { uri: addresses[name] ?? (isNeeded ? `${name}:` : name) };
}

/** Addresses that do something as they are. */
const addresses: Readonly<Record<string, string>> = {
  controlbus: "controlbus:route?action=status&routeId=current",
  cron: "cron:tab?schedule=0/10 * * * * ?",
  quartz: "quartz:timer?cron=0/10 * * * * ?",
  scheduler: "scheduler:tick",
  timer: "timer:tick?period=10000",
};
