/** The state that the parts of the check share: the definitions, the report, their findings, and each other. */
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

/** The result of a conversion whose problems have been reported. */
export const failed: unique symbol = Symbol("failed");
export type Converted<T> = T | typeof failed;

/** A step before it is part of the model: its id may be generated when all explicit ids are known. */
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
  /** "" until it is generated. */
  fromId: string;
}

/** An endpoint of the flow with the place of its URI. */
export interface FoundEndpoint {
  readonly model: EndpointModel;
  readonly role: Role;
  readonly uri: ScalarNode;
  readonly scope: Scope;
}

export type Role = "consumer" | "producer" | "poller";

/** The owner of a map of options, with its name for messages. */
export interface Owner {
  /** `step 'log'`, `component 'timer'`, `'when'`. */
  readonly name: string;
  /** true: keys are names of the user, so kebab-case is read as camelCase only if that is an option. */
  readonly data?: boolean;
  /** Attributes that are not options: `id`, `description`, ... */
  readonly attributes?: ReadonlySet<string>;
}

export interface Context {
  readonly definitions: Definitions;
  readonly report: Report;
  /** The context in which languages compile texts during the check. */
  readonly surroundings: LanguageContext;
  /** All steps in the order of the text, a nested step after its parent. */
  readonly steps: StepDraft[];
  readonly endpoints: FoundEndpoint[];
  readonly build: Builders;
  readonly route: RouteDraft;
  readonly scope: Scope;
}

/** The conversions, which call each other. Each reports its problems and then returns `failed`. */
export interface Builders {
  /** Converts a node for a schema; `label` is its name in messages: `option 'period' of component 'timer'`. */
  value(schema: Schema, node: Node, label: string, context: Context): Converted<unknown>;
  /** Converts a map of options. zod has not tested the result yet. */
  map(schema: z.ZodObject, node: MapNode, owner: Owner, context: Context, missingAt: Where): Converted<Options>;
  /** Converts an expression from its entries: inline languages, or `expression`. */
  expression(source: ExpressionSource, context: Context): Converted<ExpressionModel>;
  template(node: ScalarNode, label: string, context: Context): Converted<ExpressionModel>;
  endpoint(source: EndpointSource, context: Context): Converted<EndpointModel>;
  /** Converts the data format that one of these entries names. */
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

/** The catalogue with the option schema of each definition, which is made on first use. */
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
