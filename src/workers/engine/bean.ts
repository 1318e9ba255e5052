/**
 * Beans that a flow declares or names by class, as plain descriptions. The steps that use them define their behaviour.
 */

/** The bean that `#name`, `#class:org.acme.Name` or `name` refers to. */
export interface BeanReference {
  /** Absent: it is named by its class alone. */
  readonly name?: string;
  /** Full class name. */
  readonly type: string;
  /** Nested values; dotted names are split. */
  readonly properties: Readonly<Record<string, unknown>>;
  /** The text of a `java.lang.String`. */
  readonly text?: string;
}
