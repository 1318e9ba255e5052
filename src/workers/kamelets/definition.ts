/** How a kamelet of this runtime is defined: names, types and defaults are those of the catalogue of Apache Camel Kamelets 4.22. */

export interface KameletProperty {
  readonly type: "string" | "integer" | "boolean";
  readonly required?: true;
  readonly default?: string;
  readonly enum?: readonly string[];
  /** Only these values can be kept here; `why` says so. */
  readonly only?: readonly string[];
  readonly why?: string;
  /** Why it changes nothing: the check warns where it is given. */
  readonly idle?: string;
  /** A regular expression, and what it asks for in words. */
  readonly pattern?: readonly [RegExp, string];
}

export interface KameletDefinition {
  readonly name: string;
  readonly properties: Readonly<Record<string, KameletProperty>>;
  /** A route in YAML without `route:`; `{{name}}` is a property, `kamelet:source` and `kamelet:sink` its ends. */
  readonly template: string;
}

export const text = { type: "string" } as const;
export const needed = { type: "string", required: true } as const;
export const webAddress = {
  ...needed,
  pattern: [/^https?:\/\/./, "an address that begins with http:// or https://"],
} as const satisfies KameletProperty;
