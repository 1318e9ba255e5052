/** What the parts of the check share: the definitions, the report, what they found, and each other. */
import { z } from "zod";
import type { Position } from "../../shared/diagnostic.ts";
import type { EndpointModel, ExpressionModel, FormatModel, StepModel } from "../../shared/flow-model.ts";
import type { Catalog } from "../catalog.ts";
import type { ComponentDefinition } from "../engine/component.ts";
import type { ElementDefinition } from "../engine/element.ts";
import type { FormatDefinition } from "../engine/format.ts";
import type { LanguageContext, LanguageDefinition } from "../engine/language.ts";
import type { StepDefinition } from "../engine/step.ts";
import { checkSlots, type Schema } from "./check-slots.ts";
import type { Report, Scope } from "./report.ts";
import type { Entry, MapNode, Node, ScalarNode, Where } from "./tree.ts";

/** What a conversion gives whose problems have been reported. */
export const failed: unique symbol = Symbol("failed");
export type Converted<T> = T | typeof failed;

/** A step on its way into the model; its id may be generated after all explicit ones are known. */
export interface StepDraft {
  readonly model: { readonly type: string; id: string; options: unknown; readonly at: Position };
  /** The place of the explicit id. */
  readonly idAt?: Where;
  readonly route: RouteDraft;
}

export interface RouteDraft {
  id: string;
  readonly at: Position;
  readonly idAt?: Where;
  readonly nodePrefix: string;
  /** "" until one is generated. */
  fromId: string;
}

/** An endpoint of the flow with the place of its URI. */
export interface FoundEndpoint {
  readonly model: EndpointModel;
  readonly role: Role;
  readonly uri: ScalarNode;
  readonly scope: Scope;
}

export type Role = "consumer" | "producer";

/** Whose options a map holds, as messages call it. */
export interface Owner {
  /** `step 'log'`, `component 'timer'`, `'when'`. */
  readonly name: string;
  /** Keys are the user's own words first: kebab-case is read as camelCase only where that is an option. */
  readonly data?: boolean;
  /** Attributes that are no options: `id`, `description`, ... */
  readonly attributes?: ReadonlySet<string>;
}

export interface Context {
  readonly definitions: Definitions;
  readonly report: Report;
  /** What languages see of the flow while their texts are tried. */
  readonly surroundings: LanguageContext;
  /** All steps in the order of the text, nested ones after their parent. */
  readonly steps: StepDraft[];
  readonly endpoints: FoundEndpoint[];
  readonly build: Builders;
  readonly route: RouteDraft;
  readonly scope: Scope;
}

/** The conversions, which need each other. Each reports its problems and then gives `failed`. */
export interface Builders {
  /** A node for a schema; `label` is what messages call it: `option 'period' of component 'timer'`. */
  value(schema: Schema, node: Node, label: string, context: Context): Converted<unknown>;
  /** A map for the options of something, not yet seen by zod. */
  map(schema: z.ZodObject, node: MapNode, owner: Owner, context: Context, missingAt: Where): Converted<Options>;
  /** An expression out of its entries: inline languages, or `expression`. */
  expression(source: ExpressionSource, context: Context): Converted<ExpressionModel>;
  template(node: ScalarNode, label: string, context: Context): Converted<ExpressionModel>;
  endpoint(source: EndpointSource, context: Context): Converted<EndpointModel>;
  /** The data format that one of these entries names. */
  format(source: FormatSource, context: Context): Converted<FormatModel>;
  steps(node: Node, label: string, context: Context): Converted<readonly StepModel[]>;
}

export type Options = Record<string, unknown>;

export interface ExpressionSource {
  readonly entries: readonly Entry[];
  readonly kind: "expression" | "predicate";
  readonly where: Where;
  readonly label: string;
}

export interface FormatSource {
  readonly entries: readonly Entry[];
  readonly where: Where;
  readonly label: string;
}

export interface EndpointSource {
  readonly uri: Node | undefined;
  readonly parameters: Node | undefined;
  readonly role: Role;
  readonly where: Where;
  readonly label: string;
}

/** The catalogue with the options schema of each definition, made on first use. */
export class Definitions {
  readonly catalog: Catalog;
  readonly #schemas = new Map<object, z.ZodObject>();

  constructor(catalog: Catalog) {
    this.catalog = catalog;
  }

  schema(
    definition: StepDefinition | ComponentDefinition | LanguageDefinition | FormatDefinition | ElementDefinition,
  ): z.ZodObject {
    let schema = this.#schemas.get(definition);
    if (schema === undefined) {
      schema = definition.options(z, checkSlots);
      this.#schemas.set(definition, schema);
    }
    return schema;
  }
}
