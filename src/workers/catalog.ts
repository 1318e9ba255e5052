/** The catalogue: all parts of flows by name. */
import { components } from "./components/index.ts";
import { connectors } from "./connectors/index.ts";
import { elements } from "./elements/index.ts";
import type { ComponentDefinition } from "./engine/component.ts";
import type { ConnectorDefinition } from "./engine/connections/connection.ts";
import type { ElementDefinition } from "./engine/element.ts";
import type { FormatDefinition } from "./engine/format.ts";
import type { LanguageDefinition } from "./engine/language.ts";
import type { StepDefinition } from "./engine/step.ts";
import { formats } from "./formats/index.ts";
import { languages } from "./languages/index.ts";
import { steps } from "./steps/index.ts";

export interface Catalog {
  readonly steps: ReadonlyMap<string, StepDefinition>;
  /** Components by scheme. */
  readonly components: ReadonlyMap<string, ComponentDefinition>;
  readonly languages: ReadonlyMap<string, LanguageDefinition>;
  readonly formats: ReadonlyMap<string, FormatDefinition>;
  /** Drivers of named connections by their kind. */
  readonly connectors: ReadonlyMap<string, ConnectorDefinition>;
  /** Elements that stand beside `route` in a document. */
  readonly elements: ReadonlyMap<string, ElementDefinition>;
}

const schemes = new Map(components.map((component) => [component.scheme, component]));

/** Adds a component. Must be called in both kinds of threads, before a flow is checked or compiled. */
export function addComponent(component: ComponentDefinition): void {
  schemes.set(component.scheme, component);
}

const drivers = new Map(connectors.map((connector) => [connector.kind, connector]));

/** Adds a driver. Must be called in flow threads, before a flow is compiled. */
export function addConnector(connector: ConnectorDefinition): void {
  drivers.set(connector.kind, connector);
}

export const catalog: Catalog = {
  connectors: drivers,
  steps: new Map(steps.map((step) => [step.name, step])),
  components: schemes,
  languages: new Map(languages.map((language) => [language.name, language])),
  formats: new Map(formats.map((format) => [format.name, format])),
  elements: new Map(elements.map((element) => [element.name, element])),
};
