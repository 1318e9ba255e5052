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

/** A property of a kamelet of this runtime. */
export interface WordedProperty extends KameletProperty {
  /** What it does, for those who fill it in. */
  readonly words: string;
}

export interface KameletDefinition {
  readonly name: string;
  /** One sentence. */
  readonly docs: string;
  readonly properties: Readonly<Record<string, WordedProperty>>;
  /** A route in YAML without `route:`; `{{name}}` is a property, `kamelet:source` and `kamelet:sink` its ends. */
  readonly template: string;
}

export function text(words: string): WordedProperty {
  return { type: "string", words };
}

export function needed(words: string): WordedProperty {
  return { type: "string", required: true, words };
}

export function webAddress(words: string): WordedProperty {
  return { ...needed(words), pattern: [/^https?:\/\/./, "an address that begins with http:// or https://"] };
}
