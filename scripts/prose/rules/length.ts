/** Sentences and cells that hold too much. The bounds are where one of a hundred lay when the rules were written. */
import type { Span } from "../nodes.ts";
import type { ProseRule } from "../rule.ts";

const mostWords = 40;
const mostCellWords = 45;

export const lengthRules: readonly ProseRule[] = [
  {
    name: "long-sentence",
    pattern: (text) => longerThan(mostWords, text),
    advice: `a sentence has at most ${mostWords} words: one fact each, two at most`,
    bad: `The runtime ${"reads the file and ".repeat(10)}stops.`,
    good: "The runtime reads the file. Then it stops.",
  },
  {
    name: "semicolons",
    pattern: (text) => (text.split(";").length > 3 ? [[0, text.length]] : []),
    advice: "a sentence has at most two semicolons: break it there, or make a list",
    bad: "It reads; it writes; it sorts; it ends.",
    good: "It reads and writes. Then it sorts, and ends.",
  },
  {
    name: "long-cell",
    pattern: (text) => longerThan(mostCellWords, text),
    advice: `a cell of a table has at most ${mostCellWords} words: put the rest below the table`,
    bad: `The runtime stops. ${"It reads the file. ".repeat(11)}`,
    good: "The runtime reads the file. Then it stops.",
    cell: true,
  },
];

function longerThan(most: number, text: string): Span[] {
  const words = text.split(" ").filter((word) => /\w/.test(word));
  return words.length > most ? [[0, text.length]] : [];
}
