/** The words of a paragraph, a heading or a cell, as the rules read them, and where each character lies in the file. */
import type { TxtNode, TxtParentNode } from "@textlint/ast-node-types";

export interface PlainText {
  readonly text: string;
  /** By character: its offset in the file. */
  readonly offsets: readonly number[];
}

/** Ends of sentences: a line break, or a full stop before something that looks like a beginning ("3.5" and "e.g. this" do not). */
const sentenceEnd = /\n|[.!?][)"”]?\s+(?=["“(`]?[A-Z0-9`$])/g;
const abbreviation = /\b(?:e\.g|i\.e|etc|vs|cf|approx|no)\.$/i;

export function sentences(node: TxtParentNode): PlainText[] {
  const { text, offsets } = plainText(node);
  const found: PlainText[] = [];
  let from = 0;
  const add = (to: number): void => {
    const sentence = text.slice(from, to).trimEnd();
    if (sentence !== "") found.push({ text: sentence, offsets: offsets.slice(from, to) });
    from = to;
  };
  for (const { index, 0: end } of text.matchAll(sentenceEnd))
    if (!abbreviation.test(text.slice(from, index + 1))) add(index + end.length);
  if (from < text.length) add(text.length);
  return found;
}

/** White space becomes one space, a forced break a line break; code keeps its length and its digits, and loses its words. */
export function plainText(node: TxtParentNode): PlainText {
  let text = "";
  const offsets: number[] = [];
  const add = ({ raw, range: [from] }: TxtNode, shown: (character: string) => string): void => {
    for (let index = 0; index < raw.length; index++) {
      const character = shown(raw.charAt(index));
      if (character === " " && (text === "" || text.endsWith(" ") || text.endsWith("\n"))) continue;
      text += character;
      offsets.push(from + index);
    }
  };
  const visit = (part: TxtNode): void => {
    if (part.type === "Str") add(part, (character) => (/\s/.test(character) ? " " : character));
    else if (part.type === "Code") add(part, (character) => (/[`\d]/.test(character) ? character : "x"));
    else if (part.type === "Break") add(part, () => "\n");
    else if (part.type !== "Image") for (const child of childrenOf(part)) visit(child);
  };
  for (const child of node.children) visit(child);
  return { text, offsets };
}

function childrenOf(node: TxtNode): readonly TxtNode[] {
  return "children" in node ? (node as TxtParentNode).children : [];
}
