/** Changes values in a YAML or JSON text: what is not changed stays, character by character. */
import {
  Document,
  isAlias,
  isCollection,
  isMap,
  isNode,
  isScalar,
  isSeq,
  type Node,
  type Pair,
  type Scalar,
  visit,
  type YAMLMap,
} from "yaml";

interface Edit {
  readonly from: number;
  readonly to: number;
  readonly text: string;
}

export class YamlEdits {
  readonly #text: string;
  readonly #json: boolean;
  readonly #edits: Edit[] = [];

  constructor(text: string, json: boolean) {
    this.#text = text;
    this.#json = json;
  }

  /** Returns the changed text. */
  apply(): string {
    const crlf = this.#text.includes("\r\n");
    // From the end towards the start; at one place, the last edit first.
    return this.#edits
      .toReversed()
      .sort((one, other) => other.from - one.from || other.to - one.to)
      .reduce((text, { from, to, text: own }) => {
        return text.slice(0, from) + (crlf ? own.replaceAll(/\r?\n/g, "\r\n") : own) + text.slice(to);
      }, this.#text);
  }

  /** Sets a key. `flow`: the map is inside brackets. A new key is added behind `after`, or as the last one. */
  set(map: YAMLMap, key: string, value: unknown, flow: boolean, after = map.items.at(-1)): void {
    const pair = pairOf(map, key);
    const inFlow = flow || map.flow === true;
    if (pair !== undefined) this.replace(pair.value, value, inFlow, pair);
    else if (after === undefined) this.replace(map, { [key]: value }, flow);
    else if (inFlow) this.#addInFlow(after, key, value);
    else this.#addInBlock(after, key, value);
  }

  /** Removes keys from a map that keeps at least one. */
  remove(map: YAMLMap, gone: readonly Pair[], flow: boolean): void {
    const kept = map.items.map((pair) => !gone.includes(pair));
    const first = kept.indexOf(true);
    const last = kept.lastIndexOf(true);
    for (const [index, pair] of map.items.entries()) {
      const previous = map.items[index - 1];
      const next = map.items[index + 1];
      if (kept[index]) continue;
      if (flow || map.flow === true) {
        if (index < last && next !== undefined) this.#edit(startOf(pair.key), startOf(next.key), "");
        else if (previous !== undefined) this.#edit(endOf(previous), endOf(pair), "");
      } else if (index >= first) {
        this.#edit(this.#lineStart(startOf(pair.key)), this.#lineEnd(endOf(pair)), "");
      } else if (index === first - 1) {
        // The first key may stand behind the dash of an item.
        const to = this.#lineEnd(endOf(pair));
        this.#edit(startOf(map.items[0]?.key), to + spacesAt(this.#text, to), "");
      }
    }
  }

  /** Replaces a value. `pair`: the pair whose value it is, unless it is an item. */
  replace(old: unknown, value: unknown, flow: boolean, pair?: Pair): void {
    const from = startOf(old);
    const to = this.#excludeBreak(from, endOf(old));
    const inBrackets = flow || (isCollection(old) && old.flow === true);
    const key = pair === undefined ? -1 : this.#column(startOf(pair.key));
    const indent = inBrackets && this.#text.slice(from, to).includes("\n") ? this.#indent(from) : 0;
    const line = flowText(value, this.#json, indent, quotesOf(old));
    if (!inBrackets && isCollection(old)) {
      // A list may have the column of its key; its replacement must be further right.
      const column = Math.max(this.#column(from), key + 1);
      this.#edit(from, to, " ".repeat(column - this.#column(from)) + (isFull(value) ? blockText(value, column) : line));
    } else if (!inBrackets && key >= 0 && (isFull(value) || isLines(value)) && this.#endsLine(to)) {
      const colon = this.#text.slice(0, from).trimEnd().length;
      const below = this.#text.slice(colon, from).includes("\n");
      this.#edit(below ? from : colon, to, below ? line : blockText(value, key, true));
    } else this.#edit(from, to, /[:-]/.test(this.#text[from - 1] ?? "") ? ` ${line}` : line);
  }

  #addInBlock(after: Pair, key: string, value: unknown): void {
    const column = this.#column(startOf(after.key));
    const from = this.#skipComments(this.#lineEnd(endOf(after)), column);
    const lineBreak = this.#text[from - 1] === "\n" ? "" : "\n";
    const spaces = " ".repeat(column);
    this.#edit(from, from, `${lineBreak}${spaces}${flowText(key, false)}:${blockText(value, column, true)}\n`);
  }

  #addInFlow(after: Pair, key: string, value: unknown): void {
    const from = endOf(after);
    const start = startOf(after.key);
    const own = this.#text.slice(this.#lineStart(start), start).trim() === "";
    const indent = own ? this.#column(start) : 0;
    const text = `${flowText(key, this.#json)}: ${flowText(value, this.#json, indent)}`;
    this.#edit(from, from, own ? `,\n${" ".repeat(indent)}${text}` : `, ${text}`);
  }

  #edit(from: number, to: number, text: string): void {
    this.#edits.push({ from, to, text });
  }

  #lineStart(offset: number): number {
    return this.#text.lastIndexOf("\n", offset - 1) + 1;
  }

  /** Returns the offset behind the line's end, if it has one. */
  #lineEnd(offset: number): number {
    if (this.#text[offset - 1] === "\n") return offset;
    const end = this.#text.indexOf("\n", offset);
    return end === -1 ? this.#text.length : end + 1;
  }

  #endsLine(offset: number): boolean {
    return this.#text.slice(offset, this.#lineEnd(offset)).trim() === "";
  }

  /** Excludes the last line's end, which a text over several lines includes. */
  #excludeBreak(from: number, to: number): number {
    return from + this.#text.slice(from, to).replace(/\r?\n$/, "").length;
  }

  #column(offset: number): number {
    return offset - this.#lineStart(offset);
  }

  #indent(offset: number): number {
    return spacesAt(this.#text, this.#lineStart(offset));
  }

  /** Skips comment lines, from the beginning of a line on, that belong to what is above. */
  #skipComments(offset: number, column: number): number {
    const comment = new RegExp(` {${column + 1},}#.*(?:\\n|$)`, "y");
    comment.lastIndex = offset;
    while (comment.test(this.#text)) offset = comment.lastIndex;
    return offset;
  }
}

function isFull(value: unknown): boolean {
  return typeof value === "object" && value !== null && Object.keys(value).length > 0;
}

function isLines(value: unknown): boolean {
  return typeof value === "string" && value.includes("\n");
}

function quotesOf(node: unknown): Scalar.Type | undefined {
  return isScalar(node) && node.type?.startsWith("QUOTE") === true ? node.type : undefined;
}

export function pairOf(map: YAMLMap, key: string): Pair | undefined {
  return map.items.find((pair) => String(isScalar(pair.key) ? pair.key.value : pair.key) === key);
}

/** Returns the offset, in characters, of a node in the text that it was read from. */
function startOf(node: unknown): number {
  const start = isNode(node) ? node.range?.[0] : undefined;
  if (start === undefined) throw new Error("something in it has no place of its own");
  return start;
}

/** Returns the end of a pair or a node, without the comments behind it. */
function endOf(node: unknown): number {
  if (isMap(node) && node.flow !== true && node.items.length > 0) return endOf(node.items.at(-1));
  if (isSeq(node) && node.flow !== true && node.items.length > 0) return endOf(node.items.at(-1));
  if (isNode(node)) return node.range?.[1] ?? startOf(node);
  const { key, value } = node as Pair;
  return endOf(isNode(value) || isAlias(value) ? value : key);
}

function spacesAt(text: string, offset: number): number {
  return /^ */.exec(text.slice(offset))?.[0].length ?? 0;
}

/**
 * Prints a value on one line; JSON with `indent` 1 or more over several lines, indented so far. `quotes`: the style of
 * a text that was quoted.
 */
function flowText(value: unknown, json: boolean, indent = 0, quotes?: Scalar.Type): string {
  if (json) return indentLines(JSON.stringify(value, null, indent > 0 ? 2 : 0), indent);
  const document = new Document([value]);
  visit(document, {
    Collection: (_, node) => {
      node.flow = true;
    },
    Scalar: (_, node) => {
      if (typeof node.value === "string" && quotes !== undefined) node.type = quotes;
    },
  });
  const text = document.toString({ lineWidth: 0 }).trim();
  // YAML accepts JSON, too, in place of several lines.
  return text.includes("\n") ? JSON.stringify(value) : text.slice(1, -1).trim();
}

/**
 * Prints a value over several lines, without the last line's end; `column`: that of the parent, whose first line exists
 * already. `behindKey`: `column` is that of a key, and the text behind its colon is returned.
 */
function blockText(value: unknown, column: number, behindKey = false): string {
  if (!behindKey) return indentLines(print(value), column);
  return indentLines(print({ k: value }).slice("k:".length), column);
}

function print(value: unknown): string {
  const document = new Document(value);
  visit(document, { Collection: (_, node) => void emptyInFlow(node) });
  return document.toString({ lineWidth: 0 }).replace(/\n$/, "");
}

function emptyInFlow(node: Node): void {
  if (isCollection(node) && node.items.length === 0) node.flow = true;
}

function indentLines(text: string, indent: number): string {
  return text.replaceAll(/\n(?!\n|$)/g, `\n${" ".repeat(indent)}`);
}
