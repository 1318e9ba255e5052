/** An open value mapping: what is edited, what it was read from, and what the runtime finds in it. */
import type { Base, MappingRef } from "../mappings/base.ts";
import type { MappingNow, OpenMapping } from "../mappings/open-mapping.ts";
import { createStore, type Store } from "../ui/store.ts";
import { type Checked, checkDocument } from "./check.ts";
import { type MappingDocument, type ReadDocument, readDocument } from "./document.ts";
import { History } from "./history.ts";
import { type Problem, placed } from "./places.ts";
import { at, type Bounds, type Place, type Selection } from "./ranges.ts";
import type { Sheet } from "./sheet.ts";
import { documentText } from "./write-document.ts";

/** What is edited: a table, or the JSON of a document that is none. */
export type Draft =
  | { readonly kind: "table"; readonly document: MappingDocument }
  | { readonly kind: "text"; readonly text: string; readonly why: string };

export interface MappingState {
  readonly draft: Draft;
  readonly selection: Selection;
  readonly base: Base;
  /** There are edits that are not saved. */
  readonly dirty: boolean;
  /** What the runtime has found in the draft, or the last one that it has seen. */
  readonly checked: Checked | undefined;
  readonly problems: readonly Problem[];
  readonly undoLabel: string | undefined;
  readonly redoLabel: string | undefined;
}

interface Snapshot {
  readonly draft: Draft;
  readonly selection: Selection;
}

/** A pause in typing, before the runtime is asked. */
const pauseMs = 400;

export class MappingSession implements OpenMapping {
  readonly kind = "value";
  readonly id: string;
  readonly target: string;
  readonly #store: Store<MappingState>;
  readonly #history = new History<Snapshot>();
  readonly subscribe: Store<MappingState>["subscribe"];
  readonly get: () => MappingState;
  #saved: Draft;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #check: AbortController | undefined;

  constructor({ target, id }: Pick<MappingRef, "target" | "id">, base: Base) {
    this.target = target;
    this.id = id;
    this.#saved = draftOf(base.text);
    this.#store = createStore<MappingState>({
      draft: this.#saved,
      selection: at(0, 0),
      base,
      dirty: false,
      checked: undefined,
      problems: [],
      undoLabel: undefined,
      redoLabel: undefined,
    });
    this.subscribe = this.#store.subscribe;
    this.get = this.#store.get;
  }

  /** Changes the table. `join`: edits with the same word that follow each other closely are one step of the history. */
  edit(label: string, change: (document: MappingDocument) => MappingDocument, join?: string): void {
    const { draft } = this.get();
    if (draft.kind !== "table") return;
    const document = change(draft.document);
    if (document !== draft.document) this.replace({ kind: "table", document }, label, join);
  }

  editSheet(label: string, change: (sheet: Sheet) => Sheet, join?: string): void {
    this.edit(
      label,
      (document) => {
        const sheet = change(document.sheet);
        return sheet === document.sheet ? document : { ...document, sheet };
      },
      join,
    );
  }

  /** Takes another document in place of the present one; undo brings that back. */
  replace(draft: Draft, label: string, join?: string): void {
    const { draft: before, selection } = this.get();
    this.#history.record({ draft: before, selection }, label, join);
    this.#show({ draft, selection: withinDraft(selection, draft) });
  }

  replaceText(text: string, label: string): void {
    this.replace(draftOf(text), label);
  }

  select = (selection: Selection): void => {
    this.#store.set((state) => ({ ...state, selection }));
  };

  undo = (): void => {
    const { draft, selection } = this.get();
    const reverted = this.#history.undo({ draft, selection });
    if (reverted !== undefined) this.#show(reverted.state);
  };

  redo = (): void => {
    const { draft, selection } = this.get();
    const reverted = this.#history.redo({ draft, selection });
    if (reverted !== undefined) this.#show(reverted.state);
  };

  now = (): MappingNow => {
    const { draft, dirty: isDirty, base } = this.get();
    return { text: textOf(draft), isDirty, base, isBroken: false };
  };

  shown = (text: string): string => textOf(draftOf(text));

  saved = (base: Base): void => {
    const { draft } = this.get();
    this.#saved = textOf(draft) === base.text ? draft : draftOf(base.text);
    this.#store.set((state) => ({ ...state, base, dirty: state.draft !== this.#saved }));
  };

  based = (base: Base): void => {
    const isGone = base.etag === undefined;
    this.#store.set((state) => ({ ...state, base, dirty: state.dirty || isGone }));
  };

  take = (base: Base, label: string): void => {
    const draft = draftOf(base.text);
    this.replace(draft, label);
    this.#saved = draft;
    this.#store.set((state) => ({ ...state, base, dirty: false }));
  };

  /** Checks the draft when it has not been checked since its last change. @returns ends it */
  watch(): () => void {
    this.#schedule(0);
    return () => {
      clearTimeout(this.#timer);
      this.#check?.abort();
    };
  }

  #show({ draft, selection }: Snapshot): void {
    const { undoLabel, redoLabel } = this.#history;
    const dirty = draft !== this.#saved || this.get().base.etag === undefined;
    this.#store.set((state) => ({ ...state, draft, selection, dirty, undoLabel, redoLabel }));
    this.#schedule(pauseMs);
  }

  #schedule(ms: number): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => void this.#checkNow(), ms);
  }

  async #checkNow(): Promise<void> {
    this.#check?.abort();
    const abort = new AbortController();
    this.#check = abort;
    const { draft } = this.get();
    const checked = await checkDocument(this.target, this.id, textOf(draft), abort.signal);
    if (abort.signal.aborted) return;
    const document = draft.kind === "table" ? draft.document : undefined;
    this.#store.set((state) => ({ ...state, checked, problems: placed(checked, document) }));
  }
}

const texts = new WeakMap<Draft, string>();

/** The document of a draft as it is sent. */
export function textOf(draft: Draft): string {
  if (draft.kind === "text") return draft.text;
  const known = texts.get(draft);
  if (known !== undefined) return known;
  const text = documentText(draft.document);
  texts.set(draft, text);
  return text;
}

export function draftOf(text: string): Draft {
  const read: ReadDocument = readDocument(text);
  return read.kind === "table" ? read : { kind: "text", text, why: read.why };
}

/** How far keys may go. There is an empty row at the end, in which a new one begins. */
export function boundsOf({ rows, columns }: Sheet, page = 1): Bounds {
  return { rows: rows.length + 1, columns: columns.length, page };
}

function withinDraft(selection: Selection, draft: Draft): Selection {
  if (draft.kind === "text") return selection;
  const { rows, columns } = boundsOf(draft.document.sheet);
  const within = ({ row, column }: Place): Place => ({
    row: Math.min(row, rows - 1),
    column: Math.min(column, Math.max(0, columns - 1)),
  });
  const { active, anchor, head } = selection;
  return { ...selection, active: within(active), anchor: within(anchor), head: within(head) };
}
