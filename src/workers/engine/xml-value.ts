/**
 * XML inside a message. It renders as its markup and is tested and iterated like a list of nodes; its structure is not
 * accessible otherwise.
 */

/** A node of an XML document. Only the language knows its library (languages/xpath). */
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

  /** The markup of an element or a document, or the value of an attribute or a text. */
  get text(): string {
    this.#text ??= this.#markup(this.#node);
    return this.#text;
  }

  /** A node is its text inside JSON. */
  toJSON(): string {
    return this.text;
  }
}

/** The result of an xpath. The class distinguishes an empty result from other empty lists. */
export class NodeList extends Array<XmlNode> {
  /** Results of `map` and similar methods are ordinary lists. */
  static override get [Symbol.species](): ArrayConstructor {
    return Array;
  }
}

/**
 * Returns the text of XML: the text of a node, or the texts of a list of nodes one after another, so that an empty list
 * is the empty text (Camel: DomConverter). Returns undefined for other values.
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
