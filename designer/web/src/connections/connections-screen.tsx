/** The list of the named connections of a runtime, with their states. */
import { useEffect, useState } from "react";
import { mayDo } from "../api/session.ts";
import { target } from "../api/target.ts";
import type { ScreenProps } from "../app/screens.ts";
import { bindShortcuts } from "../app/shortcuts.ts";
import { Button } from "../ui/button.tsx";
import { EmptyState } from "../ui/empty-state.tsx";
import { ErrorNote } from "../ui/error-note.tsx";
import { Loading } from "../ui/loading.tsx";
import { Table } from "../ui/table.tsx";
import { useStore } from "../ui/use-store.ts";
import { words } from "../words.ts";
import { connectionColumns } from "./connection-columns.tsx";
import { type ConnectionEntry, connectionsOf, kindsOf } from "./connections-api.ts";
import { createConnection } from "./create-connection.tsx";
import "../ui/list.css";
import "./connections.css";

const { connections: texts } = words;
const searchId = "connection-search";

export function ConnectionsScreen(_: ScreenProps) {
  const chosen = useStore(target);
  useEffect(
    () =>
      bindShortcuts(texts.title, [
        { keys: "/", title: texts.search, run: () => document.getElementById(searchId)?.focus() },
        { keys: "↑ ↓", title: words.flows.walk },
      ]),
    [],
  );
  if (chosen === undefined)
    return <EmptyState icon="server" title={words.app.noTarget} text={words.settings.noTargets} />;
  return <ConnectionsOf key={chosen.name} target={chosen.name} label={chosen.label} />;
}

function ConnectionsOf({ target: name, label }: { readonly target: string; readonly label: string }) {
  const list = connectionsOf(name);
  const { value, error } = useStore(list);
  const { value: kinds } = useStore(kindsOf(name));
  const [search, setSearch] = useState("");
  const isOperator = mayDo("operator");
  const shown = (value ?? []).filter((entry) => hasAll(entry, search));
  const create = isOperator && (
    <Button kind="primary" icon="plus" disabled={kinds === undefined} onClick={() => void createConnection(name)}>
      {texts.create.title}
    </Button>
  );
  return (
    <div className="screen">
      <header className="screen-head">
        <h1>{texts.title}</h1>
        {create}
      </header>
      {error !== undefined && (
        <ErrorNote title={texts.notRead(label)} error={error} onRetry={() => void list.refresh()} />
      )}
      {value === undefined ? (
        error === undefined && <Loading />
      ) : value.length === 0 ? (
        <EmptyState icon="server" title={texts.none} text={isOperator ? texts.noneText : texts.noneForOthers} />
      ) : (
        <>
          <search className="list-filters">
            <input
              id={searchId}
              type="search"
              className="input"
              aria-label={texts.search}
              placeholder={texts.search}
              value={search}
              onChange={(event) => setSearch(event.target.value)}
            />
            <span className="faint" role="status">
              {texts.count(shown.length, value.length)}
            </span>
          </search>
          {shown.length === 0 ? (
            <EmptyState icon="search" title={texts.noMatch} text={texts.noMatchText} />
          ) : (
            <Table
              label={texts.title}
              columns={connectionColumns(name, kinds?.kinds ?? [])}
              rows={shown}
              keyOf={(entry) => entry.name}
              firstSort={{ column: "name", descending: false }}
            />
          )}
        </>
      )}
    </div>
  );
}

/** Every word of the text is in the name, the kind, a server or a user. */
function hasAll({ name, kind, servers, usedBy }: ConnectionEntry, text: string): boolean {
  const where = [name, kind, ...servers.map(({ host }) => host), ...usedBy.map(({ flowId }) => flowId)]
    .join("\n")
    .toLowerCase();
  return text
    .toLowerCase()
    .split(/\s+/)
    .every((word) => where.includes(word));
}
