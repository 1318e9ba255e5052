/** Beans that a flow declares or names by class: plain descriptions; what they do belongs to the steps that use them. */

/** What a step finds behind `#name`, `#class:org.acme.Name` or `name`. */
export interface BeanReference {
  /** Full class name. */
  readonly type: string;
  /** Nested values; dotted names are taken apart. */
  readonly properties: Readonly<Record<string, unknown>>;
}
