/** Opens a mapping, on a screen of its own or beside a flow. */
import { type ComponentType, useEffect, useState } from "react";
import type { MappingKind } from "../../../shared/mapping-uses.ts";
import { target } from "../api/target.ts";
import { hashOf } from "../app/hash.ts";
import type { ScreenProps } from "../app/screens.ts";
import { EmptyState } from "../ui/empty-state.tsx";
import { ErrorNote } from "../ui/error-note.tsx";
import { Loading } from "../ui/loading.tsx";
import { useStore } from "../ui/use-store.ts";
import { words } from "../words.ts";
import type { Base, MappingRef } from "./base.ts";
import type { OpenMapping } from "./open-mapping.ts";
import { openMapping } from "./open-mappings.ts";

/** What is around an open mapping. */
export interface MappingFrame {
  /** The panel beside that is shown first. */
  readonly panel: string | undefined;
  /** Another panel is shown: the address names it. */
  readonly onPanel: (id: string) => void;
  /** Goes back to where it was opened from; absent: there is the list of mappings. */
  readonly onBack?: (() => void) | undefined;
}

export interface MappingPlaceProps {
  readonly id: string;
  readonly frame: MappingFrame;
}

export const screenPaths = { value: "value-mappings", message: "message-mappings" } as const;

interface Parts<Session extends OpenMapping> {
  readonly kind: MappingKind;
  readonly make: (ref: MappingRef, base: Base) => Session;
  readonly Editor: ComponentType<{ readonly session: Session; readonly frame: MappingFrame }>;
}

export function mappingPlace<Session extends OpenMapping>({
  kind,
  make,
  Editor,
}: Parts<Session>): ComponentType<MappingPlaceProps> {
  return function MappingPlace({ id, frame }) {
    const name = useStore(target)?.name;
    const [session, setSession] = useState<Session>();
    const [error, setError] = useState<unknown>();
    const [tries, setTries] = useState(0);
    // biome-ignore lint/correctness/useExhaustiveDependencies: another try reads it again
    useEffect(() => {
      if (name === undefined) return undefined;
      const abort = new AbortController();
      setSession(undefined);
      setError(undefined);
      openMapping({ kind, id, target: name }, make, abort.signal).then(
        (opened) => {
          if (!abort.signal.aborted) setSession(opened);
        },
        (reason: unknown) => {
          if (!abort.signal.aborted) setError(reason);
        },
      );
      return () => abort.abort();
    }, [name, id, tries]);
    if (name === undefined) return <EmptyState icon="map" title={words.app.noTarget} text={words.settings.noTargets} />;
    if (error !== undefined) {
      return (
        <div className="screen">
          <ErrorNote title={words.mappings.notOpened(id)} error={error} onRetry={() => setTries(tries + 1)} />
        </div>
      );
    }
    if (session === undefined || session.id !== id || session.target !== name) return <Loading />;
    return <Editor key={`${name} ${id}`} session={session} frame={frame} />;
  };
}

/** The screen of one mapping, whose address names the panel, without a step of the browser's history for each. */
export function mappingScreen(kind: MappingKind, Place: ComponentType<MappingPlaceProps>): ComponentType<ScreenProps> {
  return function MappingScreen({ address }) {
    const id = address.rest[0] ?? "";
    const onPanel = (panel: string): void =>
      history.replaceState(history.state, "", hashOf([screenPaths[kind], id], { panel }));
    return <Place id={id} frame={{ panel: address.query["panel"], onPanel }} />;
  };
}
