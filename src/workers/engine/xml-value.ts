/** XML inside a message. It renders as its markup, is tested and walked like a list of nodes, and stays opaque otherwise. */

/** A node of an XML document; which library reads it is the language's to know (languages/xpath). */
export class XmlNode {
  readonly #markup: (node: unknown) => string;
  readonly #node: unknown;
  #text: string | undefined;

  constructor(node: unknown, markup: (node: unknown) => string) {
    this.#node = node;
    this.#markup = markup;
  }

  get node(): unknown {
    return this.#node;
  }

  /** Markup of an element or a document, the value of an attribute or a text. */
  get text(): string {
    this.#text ??= this.#markup(this.#node);
    return this.#text;
  }

  /** Inside JSON a node is its text. */
  toJSON(): string {
    return this.text;
  }
}

/** Camel's NodeList renders as the markup of its nodes, one after another (DomConverter); undefined when the list is none. */
export function nodeListText(value: readonly unknown[]): string | undefined {
  if (value.length === 0 || !(value[0] instanceof XmlNode)) return undefined;
  let text = "";
  for (const node of value) {
    if (!(node instanceof XmlNode)) return undefined;
    text += node.text;
  }
  return text;
}
