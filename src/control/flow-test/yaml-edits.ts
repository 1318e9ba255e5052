/** Other values in a YAML or JSON text: what stays, stays character by character. */
import { isCollection, isScalar, type Pair, type Scalar, type YAMLMap } from "yaml";
import { endOf, pairOf, spacesAt, startOf } from "./yaml-places.ts";
import { blockText, flowText } from "./yaml-print.ts";

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

  /** The changed text. */
  apply(): string {
    const crlf = this.#text.includes("\r\n");
    // From the end on, what was added last to a place first.
    return this.#edits
      .toReversed()
      .sort((one, other) => other.from - one.from || other.to - one.to)
      .reduce((text, { from, to, text: own }) => {
        return text.slice(0, from) + (crlf ? own.replaceAll(/\r?\n/g, "\r\n") : own) + text.slice(to);
      }, this.#text);
  }

  /** `flow`: the map is in something with brackets. A key that is not there is added behind `after`, or as the last. */
  set(map: YAMLMap, key: string, value: unknown, flow: boolean, after = map.items.at(-1)): void {
    const pair = pairOf(map, key);
    const inFlow = flow || map.flow === true;
    if (pair !== undefined) this.replace(pair.value, value, inFlow, pair);
    else if (after === undefined) this.replace(map, { [key]: value }, flow);
    else if (inFlow) this.#addInFlow(after, key, value);
    else this.#addInBlock(after, key, value);
  }

  /** Of a map that keeps one key at least. */
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
        // The first key may stand behind a dash.
        const to = this.#lineEnd(endOf(pair));
        this.#edit(startOf(map.items[0]?.key), to + spacesAt(this.#text, to), "");
      }
    }
  }

  /** `pair`: what it is the value of, if it is not an item. */
  replace(old: unknown, value: unknown, flow: boolean, pair?: Pair): void {
    const from = startOf(old);
    const to = this.#withoutBreak(from, endOf(old));
    const inBrackets = flow || (isCollection(old) && old.flow === true);
    const key = pair === undefined ? -1 : this.#column(startOf(pair.key));
    const indent = inBrackets && this.#text.slice(from, to).includes("\n") ? this.#indent(from) : 0;
    const line = flowText(value, this.#json, indent, quotesOf(old));
    if (!inBrackets && isCollection(old)) {
      // A list may stand right below its key; what is in its place may not.
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
    const from = this.#behindComments(this.#lineEnd(endOf(after)), column);
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

  /** Behind the line's end, if it has one. */
  #lineEnd(offset: number): number {
    if (this.#text[offset - 1] === "\n") return offset;
    const end = this.#text.indexOf("\n", offset);
    return end === -1 ? this.#text.length : end + 1;
  }

  #endsLine(offset: number): boolean {
    return this.#text.slice(offset, this.#lineEnd(offset)).trim() === "";
  }

  /** Texts over several lines end behind their last line's. */
  #withoutBreak(from: number, to: number): number {
    return from + this.#text.slice(from, to).replace(/\r?\n$/, "").length;
  }

  #column(offset: number): number {
    return offset - this.#lineStart(offset);
  }

  #indent(offset: number): number {
    return spacesAt(this.#text, this.#lineStart(offset));
  }

  /** From the beginning of a line on: those that belong to what is above. */
  #behindComments(offset: number, column: number): number {
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
