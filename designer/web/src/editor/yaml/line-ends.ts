/** Keeps the line ends of a file that has carriage returns: lines that are typed or pasted get them, too. */
import { type ChangeSpec, EditorState, type Extension, type Transaction } from "@codemirror/state";

/** `isForeign`: whether a transaction comes from elsewhere, with line ends that are right already. */
export function keepLineEnds(text: string, isForeign: (transaction: Transaction) => boolean): Extension {
  if (!text.includes("\r\n")) return [];
  return EditorState.transactionFilter.of((transaction) => {
    if (!transaction.docChanged || isForeign(transaction)) return transaction;
    const changes = missingReturns(transaction);
    return changes.length === 0 ? transaction : [transaction, { changes, sequential: true }];
  });
}

/** Every changed line but the last of the text ends with one carriage return, and has none inside. */
function missingReturns({ changes, newDoc }: Transaction): readonly ChangeSpec[] {
  const lines = new Set<number>();
  changes.iterChangedRanges((_from, _to, from, to) => {
    const last = newDoc.lineAt(to).number;
    for (let line = newDoc.lineAt(from).number; line <= last; line += 1) lines.add(line);
  });
  return [...lines].flatMap((number) => {
    const { from, to, text } = newDoc.line(number);
    const isLast = number === newDoc.lines;
    const inner = [...text.matchAll(/\r/g)].map(({ index }) => index).filter((at) => isLast || at < text.length - 1);
    const removed: ChangeSpec[] = inner.map((at) => ({ from: from + at, to: from + at + 1 }));
    return isLast || text.endsWith("\r") ? removed : [...removed, { from: to, insert: "\r" }];
  });
}
