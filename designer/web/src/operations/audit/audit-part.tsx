/** The audit log: who has changed what, and what was refused. */
import { useEffect, useMemo } from "react";
import { Button } from "../../ui/button.tsx";
import { EmptyState } from "../../ui/empty-state.tsx";
import { ErrorNote } from "../../ui/error-note.tsx";
import { Loading } from "../../ui/loading.tsx";
import { Note } from "../../ui/note.tsx";
import { Table } from "../../ui/table.tsx";
import { useStore } from "../../ui/use-store.ts";
import { words } from "../../words.ts";
import type { PartProps } from "../tabs.ts";
import { auditColumns } from "./audit-columns.tsx";
import { type AuditFilter, filterOf, requestOf } from "./audit-filter.ts";
import { AuditFilters } from "./audit-filters.tsx";
import { type AuditLines, AuditPages } from "./audit-pages.ts";

const { audit: texts } = words.operations;

export function AuditPart({ target, query }: PartProps) {
  const { resource, action, outcome, span } = filterOf(query);
  const pages = useMemo(
    () => new AuditPages(target, requestOf({ resource, action, outcome, span }, Date.now())),
    [target, resource, action, outcome, span],
  );
  useEffect(() => {
    void pages.begin();
    return () => pages.end();
  }, [pages]);
  const lines = useStore(pages.lines);
  const filter: AuditFilter = { resource, action, outcome, span };
  const isFiltered = Object.values(filter).some((value) => value !== "");
  return (
    <>
      <AuditFilters filter={filter} onRefresh={() => void pages.begin()} />
      {lines.problems.map((problem) => (
        <Note key={problem} kind="error" title={texts.broken}>
          <p>{problem}</p>
          <p>{texts.brokenText}</p>
        </Note>
      ))}
      {lines.error !== undefined && (
        <ErrorNote title={texts.notRead} error={lines.error} onRetry={() => void pages.begin()} />
      )}
      <Lines lines={lines} isFiltered={isFiltered} onMore={() => void pages.more()} />
      <Verification hash={isFiltered ? undefined : lines.entries[0]?.hash} />
    </>
  );
}

interface LinesProps {
  readonly lines: AuditLines;
  readonly isFiltered: boolean;
  readonly onMore: () => void;
}

function Lines({ lines: { entries, next, isLoading, error }, isFiltered, onMore }: LinesProps) {
  if (next === undefined) return error === undefined ? <Loading /> : null;
  if (entries.length === 0 && next === null) {
    return (
      <EmptyState
        icon="history"
        title={isFiltered ? texts.noMatch : texts.none}
        text={isFiltered ? texts.noMatchText : texts.noneText}
      />
    );
  }
  return (
    <>
      {entries.length > 0 && (
        <Table label={texts.title} columns={auditColumns} rows={entries} keyOf={({ seq }) => String(seq)} />
      )}
      <div className="filters">
        <span className="faint" role="status">
          {texts.count(entries.length)}
        </span>
        {next !== null && (
          <Button disabled={isLoading} onClick={onMore}>
            {isLoading ? words.ui.loading : entries.length === 0 ? texts.searchOn : texts.more}
          </Button>
        )}
      </div>
    </>
  );
}

/** How the whole chain is verified, which nothing in a browser can do. `hash`: of the newest line. */
function Verification({ hash }: { readonly hash: string | undefined }) {
  return (
    <Note kind="info" title={texts.verify}>
      <p>{texts.verifyText}</p>
      <p>
        <code className="address">bulkhead audit verify{hash !== undefined && ` DATA_DIR/audit ${hash}`}</code>
      </p>
      {hash !== undefined && <p className="faint">{texts.verifyHash}</p>}
    </Note>
  );
}
