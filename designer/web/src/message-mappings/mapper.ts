/** What the parts of an open mapping share. */
import { createContext, useContext, useSyncExternalStore } from "react";
import type { Store } from "../ui/store.ts";
import { words } from "../words.ts";
import type { TrialMessage } from "./message.ts";
import type { FieldNode } from "./model/fields.ts";
import { mapField } from "./model/map-field.ts";
import { pointerOf } from "./model/names.ts";
import { EditRefused } from "./model/refused.ts";
import type { MappingSession, MappingState } from "./session.ts";
import type { Trial } from "./trial.ts";

export interface Mapper {
  readonly session: MappingSession;
  /** The message that the mapping is tried with. */
  readonly message: Store<TrialMessage>;
  readonly trial: Trial;
  /** The field of the message that is to be put into a field of the result. */
  readonly picked: Store<FieldNode | undefined>;
  /** The fields of the message, as they are drawn. */
  readonly source: Store<FieldNode>;
  readonly isEditable: boolean;
}

const Context = createContext<Mapper | undefined>(undefined);

export const MapperProvider = Context.Provider;

export function useMapper(): Mapper {
  const context = useContext(Context);
  if (context === undefined) throw new Error("a part of the mapper stands outside of it");
  return context;
}

/** Reads a part of the session's state: the component is drawn again only when that part changes. */
export function useMapping<T>(session: MappingSession, read: (state: MappingState) => T): T {
  return useSyncExternalStore(session.subscribe, () => read(session.get()));
}

/** Puts a field of the message into a field of the result, by a new rule or the expression of the one that is there. */
export function mapTogether({ session, picked }: Mapper, source: FieldNode, target: FieldNode): void {
  picked.set(undefined);
  try {
    const { edits, path } = mapField(session.get().list, source, target);
    session.edit(edits, { label: words.messageMappings.did.map(pointerOf(target.path)), select: path });
  } catch (error) {
    if (!(error instanceof EditRefused)) throw error;
    session.onRefused(error.message);
  }
}
