/** Finds the places of secrets in a flow's model, and fills in their values. */
import type { Position } from "../../shared/diagnostic.ts";
import type { BeanModel, FlowModel } from "../../shared/flow-model.ts";
import { fillSecrets, hasSecret, secretMark } from "../../shared/secret-mark.ts";
import type { ComponentDefinition, SecretUse } from "./component.ts";
import { describedProperties } from "./connections/described-connections.ts";
import type { LanguageDefinition } from "./language.ts";

/** The treatment of a text with secrets. `template`: the language reads the values itself, as parameters. */
export type SecretPlace = SecretUse | "template" | "refused";

/** A text with secrets, and its place. */
export interface SecretText {
  readonly text: string;
  readonly place: SecretPlace;
  /** The name of the option or attribute. */
  readonly name: string;
  readonly at: Position;
  readonly routeId: string | undefined;
  readonly stepId: string | undefined;
}

/** Definitions of the catalogue. */
interface Known {
  readonly components: ReadonlyMap<string, ComponentDefinition>;
  readonly languages: ReadonlyMap<string, LanguageDefinition>;
}

type Change = (found: SecretText) => string;
type Around = Omit<SecretText, "text" | "place">;
type Fields = Readonly<Record<string, unknown>>;

/** Returns the model with each text that contains a secret replaced by the result of `change`. */
export function changeSecrets(model: FlowModel, known: Known, change: Change): FlowModel {
  const walk = new Walk(known, change);
  // Options of triggers go to the runtime, which does not have the secrets of flows; options of a source stay in the
  // flow's thread.
  const sources = [...known.components].filter(([, { source }]) => source !== undefined);
  const consumer = new Walk({ ...known, components: new Map(sources) }, change);
  const at = model.routes[0]?.at ?? { line: 1, column: 1, endLine: 1, endColumn: 1 };
  const none: Around = { name: "", at, routeId: undefined, stepId: undefined };
  const routes = model.routes.map(({ from, ...route }) => {
    const around: Around = { ...none, at: route.at, routeId: route.id };
    return { ...(walk.value(route, around) as object), from: consumer.value(from, around) };
  });
  const beans = model.beans?.map((bean) => walk.bean(bean, none));
  return {
    ...model,
    routes: routes as unknown as FlowModel["routes"],
    ...(beans && { beans }),
  };
}

/**
 * Returns the model with the values, for a thread. Texts for display, such as the URIs of endpoints, keep the marks.
 */
export function withSecrets(model: FlowModel, known: Known, value: (name: string) => string): FlowModel {
  const names = model.secrets ?? [];
  if (names.length === 0) return model;
  const params = Object.fromEntries(names.map((name) => [secretMark(name), value(name)]));
  const filled = changeSecrets(model, known, ({ text, place }) => {
    if (place === "address") return fillAddress(text, value);
    return place === "text" ? fillSecrets(text, value) : text;
  });
  return { ...filled, params: { ...model.params, ...params } };
}

/** Returns the parameters without those that contain secrets, or are values of secrets. */
export function openParams(params: FlowModel["params"]): FlowModel["params"] {
  return Object.fromEntries(Object.entries(params).filter(([name, value]) => !hasSecret(name) && !hasSecret(value)));
}

/** Returns the model with placeholders for the values, for checks: only a flow's thread gets the values. */
export function withStandIns(model: FlowModel, known: Known): FlowModel {
  return withSecrets(model, known, () => "http://secret.invalid");
}

/** Fills in a host or a whole address unchanged, and escapes other parts; the slashes of a value in a path stay, as of `T0/B0/x`. */
function fillAddress(text: string, value: (name: string) => string): string {
  const host = /^(?:https?:)?\/*(?=\uFDD0[^\uFDD1]*\uFDD1(?:[/?#]|$))/.exec(text)?.[0].length;
  const authority = /^(?:https?:)?\/*(?:\uFDD0[^\uFDD1]*\uFDD1|[^/?#\uFDD0])*/.exec(text)?.[0].length ?? 0;
  const query = text.search(/[?#]/);
  return fillSecrets(text, (name, index) => {
    if (index === host) return value(name);
    const isPath = index >= authority && (query === -1 || index < query);
    return isPath ? value(name).split("/").map(encodeURIComponent).join("/") : encodeURIComponent(value(name));
  });
}

class Walk {
  readonly #known: Known;
  readonly #change: Change;

  constructor(known: Known, change: Change) {
    this.#known = known;
    this.#change = change;
  }

  value(value: unknown, around: Around): unknown {
    if (typeof value === "string") return this.#text(value, "refused", around);
    if (Array.isArray(value)) return value.map((item) => this.value(item, around));
    if (typeof value !== "object" || value === null) return value;
    const fields = value as Fields;
    const inner = placed(fields, around);
    if (isExpression(fields)) return this.#expression(fields, inner);
    return isEndpoint(fields) ? this.#endpoint(fields, inner) : this.#fields(fields, inner);
  }

  /** Secrets stand in the properties of beans that describe connections. */
  bean(bean: BeanModel, around: Around): BeanModel {
    if (describedProperties(bean.type) === undefined) return this.value(bean, around) as BeanModel;
    const inner = { ...around, at: bean.at };
    const properties = mapped(bean.properties, (name, value) =>
      typeof value === "string" ? this.#text(value, "text", { ...inner, name }) : this.value(value, { ...inner, name }),
    );
    return { ...bean, properties };
  }

  #fields(fields: Fields, around: Around): Fields {
    return mapped(fields, (name, value) => this.value(value, { ...around, name }));
  }

  #expression(fields: Fields & { readonly language: string; readonly text: string }, around: Around): Fields {
    const place = this.#known.languages.get(fields.language)?.secrets?.place ?? "refused";
    const text = this.#text(fields.text, place, { ...around, name: fields.language });
    const { language: _language, text: _text, ...others } = fields;
    return { ...this.#fields(others, around), language: fields.language, text };
  }

  #endpoint(fields: Fields & { readonly scheme: string; readonly options: Fields }, around: Around): Fields {
    const { secrets } = this.#known.components.get(fields.scheme) ?? {};
    const options = mapped(fields.options, (name, value) =>
      typeof value === "string"
        ? this.#text(value, secrets?.[name] ?? "refused", { ...around, name })
        : this.value(value, { ...around, name }),
    );
    const { parameters } = fields;
    if (!Array.isArray(parameters)) return { ...fields, options };
    const sent = (parameters as [name: string, value: string][]).map(([name, value]) => [
      this.#text(name, "refused", { ...around, name }),
      this.#text(value, secrets === undefined ? "refused" : "text", { ...around, name }),
    ]);
    return { ...fields, options, parameters: sent };
  }

  #text(text: string, place: SecretPlace, around: Around): string {
    return hasSecret(text) ? this.#change({ ...around, text, place }) : text;
  }
}

function placed(fields: Fields, around: Around): Around {
  const at = typeof fields["at"] === "object" && fields["at"] !== null ? (fields["at"] as Position) : around.at;
  const isStep = typeof fields["type"] === "string" && typeof fields["id"] === "string";
  return { ...around, at, stepId: isStep ? (fields["id"] as string) : around.stepId };
}

function isExpression(fields: Fields): fields is Fields & { readonly language: string; readonly text: string } {
  return typeof fields["language"] === "string" && typeof fields["text"] === "string" && "at" in fields;
}

function isEndpoint(fields: Fields): fields is Fields & { readonly scheme: string; readonly options: Fields } {
  return typeof fields["scheme"] === "string" && typeof fields["uri"] === "string" && "options" in fields;
}

/** Reads own fields only: an option may be called `constructor`. */
function mapped(fields: Fields, change: (name: string, value: unknown) => unknown): Fields {
  return Object.assign(
    Object.create(null) as Fields,
    Object.fromEntries(Object.entries(fields).map(([name, value]) => [name, change(name, value)])),
  );
}
