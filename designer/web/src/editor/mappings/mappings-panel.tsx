/** The mappings that the flow names, each with its state: opened beside the flow, brought into the workspace, or made. */
import { mayDo } from "../../api/session.ts";
import { hashOf } from "../../app/hash.ts";
import { bringIntoWorkspace } from "../../mappings/bring-in.ts";
import { unsavedMapping } from "../../mappings/open-mappings.ts";
import { involved, type MappingRow, mappingRow } from "../../mappings/state.ts";
import { MappingStateChip } from "../../mappings/state-chip.tsx";
import { useMappings } from "../../mappings/use-mappings.ts";
import { Button } from "../../ui/button.tsx";
import { Chip } from "../../ui/chip.tsx";
import { EmptyState } from "../../ui/empty-state.tsx";
import { words } from "../../words.ts";
import { useSession } from "../canvas/context.ts";
import type { PanelProps } from "../panels.ts";
import { besideAddress, wasLeft } from "./beside.ts";
import { useFlowMappings } from "./flow-mappings.ts";
import { makeMapping } from "./make-mapping.ts";
import "./mappings.css";

const { mappings: texts } = words;

export function MappingsPanel({ session }: PanelProps) {
  const uses = useFlowMappings(session);
  const mappings = useMappings();
  const flow = useSession(session, (state) => state.flow);
  const all = involved(mappings, uses);
  if (all.length === 0) return <EmptyState icon="map" title={texts.panelNone} text={texts.panelNoneText} />;
  return (
    <div className="flow-mappings">
      <p className="faint">{texts.panelText}</p>
      <ul>
        {all.map((use) => {
          const target = mappings.target ?? "";
          const isUnsaved = unsavedMapping({ ...use, target }) !== undefined;
          const row = mappingRow(mappings, use, isUnsaved);
          return (
            <li key={`${use.kind} ${use.id}`}>
              <Name row={row} isUnsaved={isUnsaved} />
              <Action
                row={row}
                address={hashOf(["flows", session.id], besideAddress(use))}
                onBringIn={() => void bringIntoWorkspace({ ...use, target })}
                onMake={() => void makeMapping({ ...use, target }, flow, session.id)}
              />
              {row.entry?.problem !== undefined && <p className="error">{row.entry.problem}</p>}
              {isTravelling(row) && <p className="faint">{texts.travels}</p>}
            </li>
          );
        })}
      </ul>
    </div>
  );
}

function isTravelling({ state }: MappingRow): boolean {
  return state !== undefined && state !== "Deployed";
}

function Name({ row, isUnsaved }: { readonly row: MappingRow; readonly isUnsaved: boolean }) {
  const { kind, id, name } = row;
  return (
    <div className="flow-mapping-name">
      <b>{name}</b>
      {name !== id && <code className="faint">{id}</code>}
      <span className="faint">{texts.kinds[kind]}</span>
      <MappingStateChip row={row} />
      {isUnsaved && <Chip tone="accent">{texts.unsaved}</Chip>}
    </div>
  );
}

interface ActionProps {
  readonly row: MappingRow;
  readonly address: string;
  readonly onBringIn: () => void;
  readonly onMake: () => void;
}

function Action({ row, address, onBringIn, onMake }: ActionProps) {
  const { id, entry, summary } = row;
  const isEditor = mayDo("editor");
  if (entry === undefined && summary === undefined)
    return isEditor ? (
      <Button icon="plus" aria-label={texts.makeOf(id)} onClick={onMake}>
        {texts.make}
      </Button>
    ) : null;
  return (
    <span className="flow-mapping-actions">
      {entry === undefined && isEditor && (
        <Button icon="download" aria-label={texts.bringInOf(id)} onClick={onBringIn}>
          {texts.bringInText}
        </Button>
      )}
      <a
        ref={(link) => void (link !== null && wasLeft(row) && link.focus())}
        className="button"
        href={address}
        aria-label={texts.open(id)}
      >
        {texts.openText}
      </a>
    </span>
  );
}
