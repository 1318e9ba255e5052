/**
 * One open flow. Its YAML text is the only state: canvas, form and YAML pane read it, and change it by changes of the
 * text, which one history can take back. Panels get the session and read it with `useStore(session)`.
 */
import { ChangeSet, Text } from "@codemirror/state";
import type { FlowFile, Options } from "../../../../shared/wire.ts";
import { applyChanges, type Change, EditRefused, type FlowText, parse, tree } from "../../model/index.ts";
import { createStore, type Store } from "../../ui/store.ts";
import { EditHistory, type Revert } from "./history.ts";
import { indexTree } from "./items.ts";
import { parsePauseMs } from "./limits.ts";
import { type NodeMarks, noMarks } from "./marks.ts";
import { followSelection } from "./selection.ts";
import { shareParts } from "./share.ts";
import type { Edit, EditorDiagnostic, SessionState } from "./state.ts";

/** Called with each change of the text that the YAML pane has not made itself. */
type TextListener = (changes: ChangeSet) => void;
export type MakeChanges = (flow: FlowText) => readonly Change[];

/** A revision that the canvas shows in place of the text. */
export interface Drawn {
  readonly session: EditorSession;
  readonly revision: number;
  /** Shows the text again. */
  readonly leave: () => void;
}

export class EditorSession implements Pick<Store<SessionState>, "get" | "subscribe"> {
  readonly id: string;
  /** What nodes of the canvas show beside what is written. */
  readonly marks: Store<NodeMarks> = createStore(noMarks);
  /** undefined: the canvas shows the text. Whoever sets it clears it when it closes. */
  readonly drawn: Store<Drawn | undefined> = createStore<Drawn | undefined>(undefined);
  /** Called when an edit cannot be made, with a sentence that says why and what to do. */
  onRefused: (message: string) => void = () => {};
  /** When the workspace's version was last read or written here, in ms since 1970. */
  savedAt = Date.now();
  readonly #store: Store<SessionState>;
  readonly #history = new EditHistory();
  readonly #listeners = new Set<TextListener>();
  #document: Text;
  /** What has changed since the tree was drawn: places of the tree are mapped through it. */
  #pending: ChangeSet;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(file: FlowFile) {
    this.id = file.id;
    this.#document = textOf(file.yaml);
    this.#pending = ChangeSet.empty(this.#document.length);
    const flow = parse(file.yaml);
    const first = tree(flow);
    this.#store = createStore<SessionState>({
      ...{ text: file.yaml, options: file.options, file, dirty: false },
      ...{ flow, tree: first, view: first, index: indexTree(first), broken: flow.errors.length > 0 },
      ...{
        selection: [],
        diagnostics: [],
        check: "waiting",
        problems: new Map(),
        undoLabel: undefined,
        redoLabel: undefined,
      },
    });
  }

  get = (): SessionState => this.#store.get();

  subscribe = (listener: () => void): (() => void) => this.#store.subscribe(listener);

  /** The text as it is now, parsed. */
  flow(): FlowText {
    const { text, flow } = this.get();
    return flow.text === text ? flow : parse(text);
  }

  /** The text as it is now, for an editor that shows it. */
  document(): Text {
    return this.#document;
  }

  /**
   * Edits the text. The changes are made for the flow as it is now; of several edits each for what the one before it has
   * left, and they are taken back together. An edit that the model refuses is reported to `onRefused`, and none is made.
   * @returns whether anything has changed
   */
  edit(make: MakeChanges | readonly MakeChanges[], { label, join, select }: Edit): boolean {
    this.settle();
    const set = this.#changesOf(typeof make === "function" ? [make] : make);
    if (set === undefined) return false;
    if (!set.empty) {
      this.#change(set, label, join);
      for (const listener of this.#listeners) listener(set);
      this.#show();
    }
    if (select !== undefined) this.select(select(this.get().index));
    return !set.empty;
  }

  /** Makes changes of the text as it is now; `label` says what they do. */
  apply(changes: readonly Change[], label: string): boolean {
    return this.edit(() => changes, { label });
  }

  /** The YAML pane has changed its text. */
  typed(changes: ChangeSet, label: string, join: string | undefined): void {
    this.#change(changes, label, join);
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#show(), parsePauseMs);
  }

  /** Calls with each change that comes from elsewhere than the YAML pane. @returns ends it */
  onText(listener: TextListener): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  undo = (): void => this.#revert(this.#history.undo(this.#document, this.get().selection));

  redo = (): void => this.#revert(this.#history.redo(this.#document, this.get().selection));

  /** Selects items by their keys; the last one is the one that the form shows. Those that are not there are left out. */
  select(keys: readonly string[]): void {
    const { index, selection } = this.get();
    const next = keys.filter((key) => index.items.has(key));
    if (next.length === selection.length && next.every((key, at) => key === selection[at])) return;
    this.#set({ selection: next });
  }

  setOptions(options: Options): void {
    this.#set({ options, check: "waiting" });
  }

  setDiagnostics(diagnostics: readonly EditorDiagnostic[]): void {
    const problems = Map.groupBy(diagnostics, ({ key }) => key ?? "");
    this.#set({ diagnostics, problems, check: "done" });
  }

  /** The runtime did not check the flow as it is now. `why`: a sentence. */
  setNotChecked(why: string): void {
    this.#set({ check: { notChecked: why } });
  }

  /** The workspace has this file now: it was saved, or was changed by somebody else. */
  saved(file: FlowFile): void {
    this.savedAt = Date.now();
    this.#set({ file });
  }

  /** Puts another text in place of this one, such as the disk's; it can be taken back. */
  replaceAll(text: string, label: string): void {
    this.edit(() => [{ from: 0, to: this.#document.length, insert: text }], { label });
  }

  /** Parses now what was typed last. */
  settle(): void {
    if (this.#timer !== undefined) this.#show();
  }

  #changesOf(makers: readonly MakeChanges[]): ChangeSet | undefined {
    let flow = this.flow();
    let all = ChangeSet.empty(this.#document.length);
    try {
      for (const make of makers) {
        const changes = make(flow).toSorted((one, other) => one.from - other.from || one.to - other.to);
        all = all.compose(ChangeSet.of(changes, flow.text.length, "\n"));
        flow = parse(applyChanges(flow.text, changes));
      }
      return all;
    } catch (error) {
      if (!(error instanceof EditRefused)) throw error;
      this.onRefused(error.message);
      return undefined;
    }
  }

  #change(changes: ChangeSet, label: string, join: string | undefined): void {
    const { selection } = this.get();
    this.#history.record({ changes, before: this.#document, selection, label, join });
    this.#apply(changes);
  }

  #apply(changes: ChangeSet): void {
    this.#document = changes.apply(this.#document);
    this.#pending = this.#pending.compose(changes);
    const { undoLabel, redoLabel } = this.#history;
    const diagnostics = this.get().diagnostics.map((one) => ({
      ...one,
      from: changes.mapPos(Math.min(one.from, changes.length)),
      to: changes.mapPos(Math.min(one.to, changes.length)),
    }));
    this.#set({ text: this.#document.toString(), undoLabel, redoLabel, diagnostics, check: "waiting" });
  }

  #revert(revert: Revert | undefined): void {
    if (revert === undefined) return;
    this.#apply(revert.changes);
    for (const listener of this.#listeners) listener(revert.changes);
    this.#show();
    if (revert.selection.length > 0) this.select(revert.selection);
  }

  /** Draws the text as it is now; while it is broken the last valid tree stays. */
  #show(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    const flow = this.flow();
    if (flow.errors.length > 0) {
      this.#set({ flow, broken: true });
      return;
    }
    const before = this.get();
    const next = tree(flow);
    const index = indexTree(next);
    const selection = followSelection(before.selection, before.index, index, this.#pending);
    this.#pending = ChangeSet.empty(this.#document.length);
    this.#set({ flow, broken: false, tree: next, view: shareParts(before.view, next), index, selection });
  }

  #set(part: Partial<SessionState>): void {
    this.#store.set((before) => {
      const after = { ...before, ...part };
      const { yaml, options } = after.file;
      return { ...after, dirty: after.text !== yaml || !sameOptions(after.options, options) };
    });
  }
}

/** Line ends are kept as they are: only "\n" divides lines here. */
function textOf(text: string): Text {
  return Text.of(text.split("\n"));
}

function sameOptions(one: Options, other: Options): boolean {
  return one === other || JSON.stringify(one) === JSON.stringify(other);
}
