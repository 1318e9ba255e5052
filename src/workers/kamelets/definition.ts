/**
 * Defines kamelets of this runtime. Names, types and defaults are those of the catalogue of Apache Camel Kamelets 4.22.
 */

export interface KameletProperty {
  readonly type: "string" | "integer" | "boolean";
  readonly required?: true;
  readonly default?: string;
  readonly enum?: readonly string[];
  /** The only values that this runtime accepts; `why` is the reason for the message. */
  readonly only?: readonly string[];
  readonly why?: string;
  /** Present: the property has no effect here, for this reason, and the check warns of it. */
  readonly idle?: string;
  /** A regular expression, and its description for messages. */
  readonly pattern?: readonly [RegExp, string];
}

/** A property of a kamelet of this runtime. */
export interface WordedProperty extends KameletProperty {
  /** Describes the property to users. */
  readonly words: string;
}

export interface KameletDefinition {
  readonly name: string;
  /** One sentence that describes the kamelet. */
  readonly docs: string;
  readonly properties: Readonly<Record<string, WordedProperty>>;
  /**
   * A route in YAML without `route:`. `{{name}}` stands for a property, `kamelet:source` and `kamelet:sink` for the
   * ends.
   */
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
