/**
 * A text editor whose text and history are a session's: what is typed goes there, what the session changes comes in. Both texts that
 * the designer edits, flows and JSON, are coloured as YAML.
 */
import { defaultKeymap } from "@codemirror/commands";
import { yaml } from "@codemirror/lang-yaml";
import { bracketMatching, foldGutter, foldKeymap, indentOnInput, syntaxHighlighting } from "@codemirror/language";
import { lintGutter, lintKeymap } from "@codemirror/lint";
import { highlightSelectionMatches, searchKeymap } from "@codemirror/search";
import { Annotation, type ChangeSet, EditorState, type Transaction } from "@codemirror/state";
import { drawSelection, EditorView, highlightActiveLine, keymap, lineNumbers } from "@codemirror/view";
import { keepLineEnds } from "./line-ends.ts";
import { selectedLines } from "./selected-lines.ts";
import { editorTheme, highlighting } from "./theme.ts";

/** A change that the session has made. */
export const fromSession = Annotation.define<true>();

export interface TextSession {
  /** The text, as the editor keeps it. */
  document(): EditorState["doc"];
  text(): string;
  undo(): void;
  redo(): void;
  /** What was typed; `join`: edits of one name that follow each other are taken back together. */
  typed(changes: ChangeSet, join: string | undefined): void;
  /** The person has put the cursor somewhere. */
  moved(state: EditorState): void;
}

/** @param label for screen readers. @returns the editor; `destroy` ends it */
export function openEditor(parent: HTMLElement, session: TextSession, label: string, isEditable: boolean): EditorView {
  return new EditorView({
    parent,
    state: EditorState.create({
      doc: session.document(),
      extensions: [
        // Carriage returns of a file stay what they are: a character at the end of a line.
        EditorState.lineSeparator.of("\n"),
        keepLineEnds(session.text(), isOfSession),
        EditorState.readOnly.of(!isEditable),
        EditorState.tabSize.of(2),
        EditorView.contentAttributes.of({ "aria-label": label, tabindex: "0" }),
        [lineNumbers(), foldGutter(), lintGutter(), drawSelection(), highlightActiveLine(), bracketMatching()],
        [indentOnInput(), highlightSelectionMatches(), yaml(), syntaxHighlighting(highlighting), editorTheme],
        selectedLines,
        EditorView.domEventHandlers({ keydown: (event) => goBackOrOn(session, event) }),
        keymap.of([...searchKeymap, ...foldKeymap, ...lintKeymap, ...defaultKeymap]),
        EditorView.updateListener.of(({ changes, docChanged, selectionSet, transactions, state }) => {
          if (docChanged && !transactions.some(isOfSession)) session.typed(changes, joinOf(transactions));
          else if (selectionSet && transactions.some((one) => one.isUserEvent("select"))) session.moved(state);
        }),
      ],
    }),
  });
}

function isOfSession(transaction: Transaction): boolean {
  return transaction.annotation(fromSession) === true;
}

/** The history is that of the session: it also has what was edited beside the text. The page has the same keys for it. */
function goBackOrOn(session: TextSession, event: KeyboardEvent): boolean {
  const { ctrlKey, metaKey, altKey, shiftKey } = event;
  const key = event.key.toLowerCase();
  if ((!ctrlKey && !metaKey) || altKey || (key !== "z" && key !== "y")) return false;
  event.preventDefault();
  event.stopPropagation();
  if (key === "y" || shiftKey) session.redo();
  else session.undo();
  return true;
}

/** Letters that are typed one after the other are taken back together. */
function joinOf(transactions: readonly Transaction[]): string | undefined {
  if (transactions.some((one) => one.isUserEvent("input.type"))) return "text input";
  return transactions.some((one) => one.isUserEvent("delete")) ? "text delete" : undefined;
}
