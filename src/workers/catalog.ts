/** Everything that a flow can be made of, by name. */
import { components } from "./components/index.ts";
import { elements } from "./elements/index.ts";
import type { ComponentDefinition } from "./engine/component.ts";
import type { ElementDefinition } from "./engine/element.ts";
import type { FormatDefinition } from "./engine/format.ts";
import type { LanguageDefinition } from "./engine/language.ts";
import type { StepDefinition } from "./engine/step.ts";
import { formats } from "./formats/index.ts";
import { languages } from "./languages/index.ts";
import { steps } from "./steps/index.ts";

export interface Catalog {
  readonly steps: ReadonlyMap<string, StepDefinition>;
  /** By scheme. */
  readonly components: ReadonlyMap<string, ComponentDefinition>;
  readonly languages: ReadonlyMap<string, LanguageDefinition>;
  readonly formats: ReadonlyMap<string, FormatDefinition>;
  /** What stands beside `route` in a document. */
  readonly elements: ReadonlyMap<string, ElementDefinition>;
}

const schemes = new Map(components.map((component) => [component.scheme, component]));

/** One that is not in the list: to be called in both kinds of threads, before a flow is checked or compiled. */
export function addComponent(component: ComponentDefinition): void {
  schemes.set(component.scheme, component);
}

export const catalog: Catalog = {
  steps: new Map(steps.map((step) => [step.name, step])),
  components: schemes,
  languages: new Map(languages.map((language) => [language.name, language])),
  formats: new Map(formats.map((format) => [format.name, format])),
  elements: new Map(elements.map((element) => [element.name, element])),
};
