/** The connections that are open in the page: unsaved changes stay while one looks at other screens. */
import { createStore, type Store } from "../ui/store.ts";
import { type Installed, readConnection, type TestAnswer } from "./connections-api.ts";
import { type Document, documentText } from "./document.ts";

export interface ConnectionEdit {
  readonly draft: Document;
  /** As the runtime has it; undefined: it has none of this name. */
  readonly installed: Installed | undefined;
  /** Why the runtime has refused the draft. */
  readonly refused: string | undefined;
  readonly trial: Trial | undefined;
}

/** `answer` undefined: it is under way. */
export interface Trial {
  /** Whether it was the draft that was tried. */
  readonly isDraft: boolean;
  readonly answer: TestAnswer | undefined;
}

export interface OpenConnection {
  readonly target: string;
  readonly name: string;
  readonly store: Store<ConnectionEdit>;
}

const open = new Map<string, OpenConnection>();

function keyOf(target: string, name: string): string {
  return `${target} ${name}`;
}

export function isDirty({ draft, installed }: ConnectionEdit): boolean {
  return installed === undefined || documentText(draft) !== documentText(installed.document);
}

/** One without unsaved changes is read anew. Rejects with ApiError (404). */
export async function openConnection(target: string, name: string, signal: AbortSignal): Promise<OpenConnection> {
  const known = open.get(keyOf(target, name));
  if (known !== undefined && isDirty(known.store.get())) return known;
  const installed = await readConnection(target, name, signal);
  return keep(target, name, { draft: installed.document, installed });
}

/** A connection that the runtime does not have yet. */
export function beginConnection(target: string, name: string, draft: Document): void {
  keep(target, name, { draft, installed: undefined });
}

export function forgetConnection(target: string, name: string): void {
  open.delete(keyOf(target, name));
}

function keep(target: string, name: string, edit: Pick<ConnectionEdit, "draft" | "installed">): OpenConnection {
  const store = createStore<ConnectionEdit>({ ...edit, refused: undefined, trial: undefined });
  const made = { target, name, store };
  open.set(keyOf(target, name), made);
  return made;
}
