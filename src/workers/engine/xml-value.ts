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

/** What an xpath has found. A class of its own so that no match is known from an empty list of anything else. */
export class NodeList extends Array<XmlNode> {
  /** What `map` and the like make of it is a list like any other. */
  static override get [Symbol.species](): ArrayConstructor {
    return Array;
  }
}

/**
 * The text that XML is wherever a text is wanted: a node's own, of a list that of its nodes one after another, so that a list without any
 * is the empty text (Camel: DomConverter). undefined for anything else.
 */
export function markupOf(value: unknown): string | undefined {
  if (value instanceof XmlNode) return value.text;
  return Array.isArray(value) ? nodeListText(value) : undefined;
}

function nodeListText(value: readonly unknown[]): string | undefined {
  if (value.length === 0) return value instanceof NodeList ? "" : undefined;
  let text = "";
  for (const node of value) {
    if (!(node instanceof XmlNode)) return undefined;
    text += node.text;
  }
  return text;
}
