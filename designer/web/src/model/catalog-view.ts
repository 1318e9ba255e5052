/** The catalogue of the runtime (`GET /_api/catalog`) as forms and pickers read it. */

/** Options of a definition: JSON Schema with the words of each. */
export interface OptionsSchema {
  readonly properties?: Readonly<Record<string, OptionSchema>>;
  readonly required?: readonly string[];
  readonly oneOf?: readonly { readonly required?: readonly string[] }[];
}

export interface OptionSchema extends OptionsSchema {
  readonly description?: string;
  readonly default?: unknown;
  readonly enum?: readonly unknown[];
  readonly anyOf?: readonly OptionSchema[];
  readonly items?: OptionSchema;
  readonly examples?: readonly unknown[];
  readonly $ref?: string;
  readonly "x-kind"?: string;
}

export interface Entry {
  readonly name: string;
  readonly docs: string;
  readonly example?: string;
  readonly schema: OptionsSchema;
}

/** A function of the language simple. */
export interface FunctionEntry {
  /** `pad(exp,width,separator)` */
  readonly usage: string;
  readonly docs: string;
}

export interface Catalog {
  readonly steps: readonly Entry[];
  readonly components: readonly (Entry & {
    readonly consumer: boolean;
    readonly producer: boolean;
    readonly poller: boolean;
  })[];
  readonly languages: readonly Entry[];
  /** Absent: of a runtime before 0.2. */
  readonly functions?: readonly FunctionEntry[];
  readonly formats: readonly (Entry & { readonly marshal: boolean; readonly unmarshal: boolean })[];
  readonly elements: readonly Entry[];
  readonly kamelets: readonly Entry[];
}

/** required, usual, and for rare cases: what has no effect or allows one value only; `people` is id, description, note. */
export type OptionGroup = "required" | "usual" | "rare" | "people";

export interface OptionView {
  readonly name: string;
  readonly words: string;
  /** The runtime's word for its values: `text`, `true or false`, `duration`, `expression`, `list of steps`, ... */
  readonly kind: string;
  readonly group: OptionGroup;
  readonly required: boolean;
  readonly default?: unknown;
  readonly values?: readonly string[];
  readonly examples?: readonly unknown[];
}

const people = new Set(["id", "stepId", "description", "note", "disabled"]);

/** Returns the options of an entry in groups; the language, the data format and the steps of a step are not among them. */
export function optionsOf(entry: Entry): OptionView[] {
  const { properties = {}, required = [] } = entry.schema;
  const oneOf = new Set((entry.schema.oneOf ?? []).flatMap((one) => one.required ?? []));
  const views = Object.entries(properties)
    .filter(([name, schema]) => !oneOf.has(name) && (schema.$ref === undefined || schema["x-kind"] !== undefined))
    .map(([name, schema]) => viewOf(name, schema, required.includes(name)));
  const order: readonly OptionGroup[] = ["required", "usual", "rare", "people"];
  return views.toSorted((one, other) => order.indexOf(one.group) - order.indexOf(other.group));
}

function viewOf(name: string, schema: OptionSchema, required: boolean): OptionView {
  const kind = schema["x-kind"] ?? "text";
  const words = schema.description ?? "";
  const rare = kind.startsWith("only ") || /^(No effect|Only `)/.test(words);
  const group = people.has(name) ? "people" : required ? "required" : rare ? "rare" : "usual";
  const values = [schema, ...(schema.anyOf ?? [])].find(
    (one) => one.enum !== undefined && kind !== "true or false",
  )?.enum;
  return {
    name,
    words,
    kind,
    group,
    required,
    ...(schema.default !== undefined && { default: schema.default }),
    ...(values !== undefined && { values: values.map(String) }),
    ...(schema.examples !== undefined && { examples: schema.examples }),
  };
}

/** Returns the data formats of a step, by the keys that name them; [] for steps without one. */
export function formatsOf({ name }: Entry, { formats }: Catalog): string[] {
  if (name !== "marshal" && name !== "unmarshal") return [];
  return formats.filter((format) => format[name]).map((format) => format.name);
}

export function entryOf(catalog: Catalog, step: string): Entry | undefined {
  return catalog.steps.find(({ name }) => name === step);
}
