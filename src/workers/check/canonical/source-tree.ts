/**
 * A YAML text as maps, lists and scalars with their offsets, so that places of it can be rewritten and all else stays
 * as it is.
 */
import { Composer, type Document, isAlias, isMap, isScalar, isSeq, type ParsedNode, Parser } from "yaml";

export type SourceNode = SourceMap | SourceSeq | SourceScalar;

export interface SourceMap {
  readonly kind: "map";
  readonly pairs: readonly SourcePair[];
}

export interface SourceSeq {
  readonly kind: "seq";
  readonly items: readonly SourceNode[];
}

export interface SourceScalar {
  readonly kind: "scalar";
  /** Nothing is written, or a null. */
  readonly empty: boolean;
}

export interface SourcePair {
  readonly key: string;
  /** The key has double quotes, as in JSON. */
  readonly quoted: boolean;
  /** The pair stands in `{...}`. */
  readonly flow: boolean;
  /** The offsets where the key begins, where its colon ends, and where the value ends. */
  readonly start: number;
  readonly colon: number;
  readonly end: number;
  readonly value: SourceNode;
}

const empty: SourceScalar = { kind: "scalar", empty: true };

/** Returns the roots of the documents of a text that `parseYaml` has read without an error. */
export function sourceTrees(text: string): readonly SourceNode[] {
  const composer = new Composer({
    version: "1.2",
    schema: "failsafe",
    uniqueKeys: false,
    keepSourceTokens: true,
    prettyErrors: false,
  });
  return [...composer.compose(new Parser().parse(text), true, text.length)].map((document) =>
    nodeOf(document.contents, text, document),
  );
}

/** An alias is what it names, but without its pairs, which belong to the place of the anchor. */
function nodeOf(node: ParsedNode | null, text: string, document: Document.Parsed): SourceNode {
  if (isAlias(node)) {
    const named = node.resolve(document);
    return isScalar(named) ? { kind: "scalar", empty: false } : { kind: "seq", items: [] };
  }
  if (isMap(node)) {
    const pairs: SourcePair[] = [];
    for (const item of node.items) {
      const { key, value, srcToken } = item;
      const colon = srcToken?.sep?.find(({ type }) => type === "map-value-ind");
      // A key that is no plain name, or that is written with `?`, stays as it is.
      if (!isScalar(key) || colon === undefined || srcToken?.start.some(({ type }) => type === "explicit-key-ind"))
        continue;
      const [start] = key.range;
      pairs.push({
        key: String(key.value),
        quoted: text[start] === '"',
        flow: node.flow === true,
        start,
        colon: colon.offset + 1,
        end: value === null ? colon.offset + 1 : value.range[1],
        value: nodeOf(value, text, document),
      });
    }
    return { kind: "map", pairs };
  }
  if (isSeq(node)) return { kind: "seq", items: node.items.map((item) => nodeOf(item as ParsedNode, text, document)) };
  if (node === null || !isScalar(node)) return empty;
  return {
    kind: "scalar",
    empty: /^(?:|~|null|Null|NULL)$/.test(String(node.source ?? node.value)) && node.type === "PLAIN",
  };
}
