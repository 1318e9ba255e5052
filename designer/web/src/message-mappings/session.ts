/**
 * One open mapping. The text of its document is the only state: rules, settings and the text pane change it by changes of
 * the text, which one history can take back.
 */
import { ChangeSet, Text } from "@codemirror/state";
import { EditHistory, type Revert } from "../editor/session/history.ts";
import { shareParts } from "../editor/session/share.ts";
import type { Base, MappingRef } from "../mappings/base.ts";
import type { MappingNow, OpenMapping } from "../mappings/open-mapping.ts";
import { applyChanges } from "../model/index.ts";
import type { Path } from "../model/types.ts";
import { createStore, type Store } from "../ui/store.ts";
import type { MakeChanges } from "./model/edit-rules.ts";
import { type JsonText, readJson } from "./model/json-text.ts";
import { EditRefused } from "./model/refused.ts";
import { type RuleList, readRules } from "./model/rules.ts";

export interface MappingState {
  readonly text: string;
  /** The text, read; with errors while it is no JSON. */
  readonly json: JsonText;
  /** The last document that could be read: what is drawn. */
  readonly document: Readonly<Record<string, unknown>>;
  readonly list: RuleList;
  readonly base: Base;
  readonly isDirty: boolean;
  /** The path of the rule that is open, as JSON. */
  readonly selected: string | undefined;
  readonly undoLabel: string | undefined;
  readonly redoLabel: string | undefined;
}

export interface Edit {
  /** What is done, in words; the undo button shows it. */
  readonly label: string;
  /** Edits with the same word that follow each other closely are taken back together. */
  readonly join?: string | undefined;
  /** The rule that is open afterwards; null: none. */
  readonly select?: Path | null | undefined;
}

type TextListener = (changes: ChangeSet) => void;

export class MappingSession implements OpenMapping, Pick<Store<MappingState>, "get" | "subscribe"> {
  readonly kind = "message";
  readonly target: string;
  readonly id: string;
  /** Called when an edit cannot be made, with a sentence that says why and what to do. */
  onRefused: (message: string) => void = () => {};
  readonly #store: Store<MappingState>;
  readonly #history = new EditHistory();
  readonly #listeners = new Set<TextListener>();
  #document: Text;

  constructor({ target, id }: Pick<MappingRef, "target" | "id">, base: Base) {
    this.target = target;
    this.id = id;
    this.#document = textOf(base.text);
    const json = readJson(base.text);
    const document = documentOf(json) ?? {};
    this.#store = createStore<MappingState>({
      ...{ text: base.text, json, document, list: readRules(document), base, isDirty: false },
      ...{ selected: undefined, undoLabel: undefined, redoLabel: undefined },
    });
  }

  get = (): MappingState => this.#store.get();

  subscribe = (listener: () => void): (() => void) => this.#store.subscribe(listener);

  /** The text as it is now, for an editor that shows it. */
  document(): Text {
    return this.#document;
  }

  /**
   * Edits the document; of several edits each for what the one before it has left, and they are taken back together. When
   * one is refused, which `onRefused` is called for, none is made. @returns whether the edits were made
   */
  edit(edits: MakeChanges | readonly MakeChanges[], { label, join, select }: Edit): boolean {
    const set = this.#changesOf(typeof edits === "function" ? [edits] : edits);
    if (set === undefined) return false;
    if (!set.empty) {
      this.#record(set, label, join);
      for (const listener of this.#listeners) listener(set);
    }
    if (select !== undefined) this.select(select ?? undefined);
    return true;
  }

  /** The text pane has changed its text. */
  typed(changes: ChangeSet, label: string, join: string | undefined): void {
    this.#record(changes, label, join);
  }

  /** Calls with each change that comes from elsewhere than the text pane. @returns ends it */
  onText(listener: TextListener): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  undo = (): void => this.#revert(this.#history.undo(this.#document, this.#selection()));

  redo = (): void => this.#revert(this.#history.redo(this.#document, this.#selection()));

  select(path: Path | undefined): void {
    const selected = path && JSON.stringify(path);
    if (selected !== this.get().selected) this.#set({ selected });
  }

  now = (): MappingNow => {
    const { text, isDirty, base, json } = this.get();
    return { text, isDirty, base, isBroken: json.errors.length > 0 };
  };

  shown = (text: string): string => text;

  saved = (base: Base): void => this.#set({ base });

  based = (base: Base): void => this.#set({ base });

  take = (base: Base, label: string): void => {
    this.edit(() => [{ from: 0, to: this.#document.length, insert: base.text }], { label });
    this.#set({ base });
  };

  #selection(): readonly string[] {
    const { selected } = this.get();
    return selected === undefined ? [] : [selected];
  }

  #changesOf(edits: readonly MakeChanges[]): ChangeSet | undefined {
    let json = this.get().json;
    let all = ChangeSet.empty(this.#document.length);
    try {
      for (const edit of edits) {
        const changes = [...edit(json)].sort((one, other) => one.from - other.from || one.to - other.to);
        if (changes.length === 0) continue;
        all = all.compose(ChangeSet.of(changes, json.text.length, "\n"));
        json = readJson(applyChanges(json.text, changes));
      }
      return all;
    } catch (error) {
      if (!(error instanceof EditRefused)) throw error;
      this.onRefused(error.message);
      return undefined;
    }
  }

  #record(changes: ChangeSet, label: string, join: string | undefined): void {
    this.#history.record({ changes, before: this.#document, selection: this.#selection(), label, join });
    this.#apply(changes);
  }

  #revert(revert: Revert | undefined): void {
    if (revert === undefined) return;
    this.#apply(revert.changes);
    for (const listener of this.#listeners) listener(revert.changes);
    const [selected] = revert.selection;
    if (selected !== undefined) this.#set({ selected });
  }

  #apply(changes: ChangeSet): void {
    this.#document = changes.apply(this.#document);
    const text = this.#document.toString();
    const json = readJson(text);
    const before = this.get();
    const document = documentOf(json) ?? before.document;
    // Rules that stay as they are stay the same objects, so that their rows are not drawn again.
    const list = shareParts(before.list, readRules(document));
    const { undoLabel, redoLabel } = this.#history;
    this.#set({ text, json, document, list, undoLabel, redoLabel });
  }

  #set(part: Partial<MappingState>): void {
    this.#store.set((before) => {
      const after = { ...before, ...part };
      return { ...after, isDirty: after.text !== after.base.text || after.base.etag === undefined };
    });
  }
}

/** Line ends are kept as they are: only "\n" divides lines here. */
function textOf(text: string): Text {
  return Text.of(text.split("\n"));
}

function documentOf({ value }: JsonText): MappingState["document"] | undefined {
  const isObject = typeof value === "object" && value !== null && !Array.isArray(value);
  return isObject ? (value as MappingState["document"]) : undefined;
}
