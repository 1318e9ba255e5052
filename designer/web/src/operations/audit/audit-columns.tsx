/** What the table of the audit log shows of each line. */
import type { Schemas } from "../../api/runtime.ts";
import { Chip } from "../../ui/chip.tsx";
import type { Column } from "../../ui/table.tsx";
import { words } from "../../words.ts";
import { showPart } from "../show-part.ts";
import { actions, actionTexts, personOf } from "./audit-filter.ts";

type Entry = Schemas["AuditEntry"];

const { audit: texts, units } = words.operations;

export const auditColumns: readonly Column<Entry>[] = [
  { id: "at", title: texts.at, cell: ({ at, seq }) => <Moment at={at} seq={seq} /> },
  { id: "who", title: texts.who, wideOnly: true, cell: whoCell },
  { id: "what", title: texts.action, cell: whatCell },
  { id: "resource", title: texts.about, wideOnly: true, cell: resourceCell },
  { id: "outcome", title: texts.outcome, cell: outcomeCell },
  { id: "change", title: texts.change, wideOnly: true, cell: changeCell },
  {
    id: "duration",
    title: words.runs.duration,
    numeric: true,
    wideOnly: true,
    cell: ({ durationMs }) => durationMs !== null && units.duration(durationMs),
  },
];

function Moment({ at, seq }: { readonly at: string; readonly seq: number }) {
  return (
    <time className="run-time" dateTime={at} title={texts.seq(seq)}>
      {words.runs.at(at)}
    </time>
  );
}

function whoCell(entry: Entry) {
  const { actor, address } = entry;
  return (
    <span title={texts.actorTitle(actor, address)}>
      {personOf(entry)}
      {address !== null && (
        <>
          <br />
          <span className="faint">{address}</span>
        </>
      )}
    </span>
  );
}

function whatCell(entry: Entry) {
  const { action, method, path, note, resource } = entry;
  const known = actions.find((one) => one === action);
  return (
    <>
      {known === undefined ? action : actionTexts[known]}
      <div className="narrow-only">
        {resourceCell(entry)}{" "}
        <span className="faint">{resource === null ? personOf(entry) : texts.by(personOf(entry))}</span>
      </div>
      {method !== null && (
        <div className="wide-only">
          <code className="faint address">
            {method} {path}
          </code>
        </div>
      )}
      {note !== undefined && (
        <>
          <br />
          <span className="faint">{note}</span>
        </>
      )}
    </>
  );
}

function resourceCell({ resource }: Entry) {
  if (resource === null) return "";
  return (
    <button
      type="button"
      className="link-button"
      title={texts.onlyThis(resource)}
      onClick={() => showPart("audit", { resource: resource.split("/", 1)[0] ?? resource })}
    >
      {resource}
    </button>
  );
}

function outcomeCell({ status, code }: Entry) {
  if (code !== null) {
    return <Chip tone="bad">{status === null ? code : `${status} ${code}`}</Chip>;
  }
  return status === null ? "" : <Chip tone="good">{String(status)}</Chip>;
}

/** The beginnings of the hashes: enough to distinguish them. */
function changeCell({ before, after }: Entry) {
  if (before === after) return before === null ? "" : texts.unchanged;
  return (
    <code className="hashes" title={texts.hashes(before, after)}>
      {before?.slice(0, 8) ?? "—"} → {after?.slice(0, 8) ?? "—"}
    </code>
  );
}
