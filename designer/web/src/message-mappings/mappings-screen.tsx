/** The list of message mappings. */
import { useEffect, useMemo, useState } from "react";
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
import { createMapping } from "./create-mapping.tsx";
import { type MappingSummary, mappingsOf } from "./mapping-api.ts";
import { groupOf, mappingColumns } from "./mapping-columns.tsx";
import "./mappings.css";

export function MappingsScreen(_: ScreenProps) {
  const chosen = useStore(target);
  if (chosen === undefined) {
    return <EmptyState icon="map" title={words.app.noTarget} text={words.settings.noTargets} />;
  }
  return <MappingsOf key={chosen.name} target={chosen.name} />;
}

/** `all`: every group; `""`: mappings without one. */
const everyGroup = "all";
const searchId = "mapping-search";

function MappingsOf({ target: name }: { readonly target: string }) {
  const list = mappingsOf(name);
  const { value, error } = useStore(list);
  const [text, setText] = useState("");
  const [group, setGroup] = useState(everyGroup);
  const columns = useMemo(() => mappingColumns(name), [name]);
  useEffect(
    () =>
      bindShortcuts(words.messageMappings.title, [
        { keys: "/", title: words.messageMappings.search, run: () => document.getElementById(searchId)?.focus() },
      ]),
    [],
  );
  const all = value ?? [];
  const shown = all.filter((one) => fits(one, text) && (group === everyGroup || groupOf(one.id) === group));
  const groups = [...new Set(all.map(({ id }) => groupOf(id)))].sort();
  return (
    <div className="screen">
      <header className="screen-head">
        <h1>{words.messageMappings.title}</h1>
        {mayDo("editor") && (
          <Button kind="primary" icon="plus" onClick={() => void createMapping(name)}>
            {words.messageMappings.create}
          </Button>
        )}
      </header>
      {error !== undefined && (
        <ErrorNote title={words.messageMappings.notRead} error={error} onRetry={() => void list.refresh()} />
      )}
      {value === undefined ? (
        error === undefined && <Loading />
      ) : all.length === 0 ? (
        <EmptyState
          icon="map"
          title={words.messageMappings.none}
          text={mayDo("editor") ? words.messageMappings.noneText : words.messageMappings.noneToView}
        />
      ) : (
        <>
          <search className="mapping-filters">
            <input
              id={searchId}
              type="search"
              className="input"
              aria-label={words.messageMappings.search}
              placeholder={words.messageMappings.search}
              value={text}
              onChange={(event) => setText(event.target.value)}
            />
            <select
              className="input"
              aria-label={words.messageMappings.columns.group}
              value={group}
              onChange={(event) => setGroup(event.target.value)}
            >
              <option value={everyGroup}>{words.messageMappings.allGroups}</option>
              {groups.map((one) => (
                <option key={one} value={one}>
                  {one === "" ? words.messageMappings.noGroup : one}
                </option>
              ))}
            </select>
            <span className="faint" role="status">
              {words.messageMappings.count(shown.length, all.length)}
            </span>
          </search>
          {shown.length === 0 ? (
            <EmptyState icon="search" title={words.messageMappings.noMatch} text={words.messageMappings.noMatchText}>
              <Button
                onClick={() => {
                  setText("");
                  setGroup(everyGroup);
                }}
              >
                {words.messageMappings.clearFilter}
              </Button>
            </EmptyState>
          ) : (
            <Table
              label={words.messageMappings.title}
              columns={columns}
              rows={shown}
              keyOf={({ id }) => id}
              firstSort={{ column: "name", descending: false }}
            />
          )}
        </>
      )}
    </div>
  );
}

function fits({ id, name }: MappingSummary, text: string): boolean {
  const own = `${id} ${name}`.toLowerCase();
  return text
    .toLowerCase()
    .split(/\s+/)
    .every((word) => own.includes(word));
}
