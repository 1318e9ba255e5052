/** The keys of one repository, and how they are forgotten. */
import { useMemo, useState } from "react";
import { orThrow } from "../../../../../src/client/client.ts";
import { polled } from "../../api/polled.ts";
import { runtimeOf, type Schemas } from "../../api/runtime.ts";
import { mayDo } from "../../api/session.ts";
import { hashOf } from "../../app/hash.ts";
import { attempt } from "../../ui/attempt.ts";
import { Button, IconButton } from "../../ui/button.tsx";
import { confirm } from "../../ui/confirm.tsx";
import { ErrorNote } from "../../ui/error-note.tsx";
import { Loading } from "../../ui/loading.tsx";
import { type Column, Table } from "../../ui/table.tsx";
import { notify } from "../../ui/toast.tsx";
import { useStore } from "../../ui/use-store.ts";
import { words } from "../../words.ts";

type Key = Schemas["StateKey"];

const { state: texts } = words.operations;
const most = 200;

interface KeyTableProps {
  readonly target: string;
  readonly flow: string;
  readonly repository: Schemas["StateRepository"];
  readonly onRemoved: () => void;
}

export function KeyTable({ target, flow, repository: { name, kind, keys: count }, onRemoved }: KeyTableProps) {
  const [prefix, setPrefix] = useState("");
  const keys = useMemo(
    () =>
      polled<readonly Key[]>({
        load: (signal) => {
          const params = { path: { id: flow, name }, query: { prefix, limit: most } };
          return orThrow(runtimeOf(target).GET("/_api/flows/{id}/state/{name}", { params, signal }));
        },
        everyMs: 5000,
        isVisible: () => !document.hidden,
      }),
    [target, flow, name, prefix],
  );
  const { value, error } = useStore(keys);
  const remove = async (key: string | undefined): Promise<void> => {
    const goesOn = await confirm({
      title: key === undefined ? texts.removeAllTitle(name) : texts.removeTitle(key),
      text: texts.removeText[kind],
      action: key === undefined ? texts.removeAll : texts.remove,
      danger: true,
    });
    if (!goesOn) return;
    await attempt(texts.removeFailed, async () => {
      const params = { path: { id: flow, name }, query: key === undefined ? {} : { key } };
      const { removed } = await orThrow(runtimeOf(target).DELETE("/_api/flows/{id}/state/{name}", { params }));
      notify({ kind: "done", text: texts.removed(removed) });
    });
    void keys.refresh();
    onRemoved();
  };
  return (
    <section>
      <h2>{texts.keysOf(name)}</h2>
      <div className="filters">
        <input
          type="search"
          className="input"
          aria-label={texts.prefix}
          placeholder={texts.prefix}
          value={prefix}
          onChange={(event) => setPrefix(event.target.value)}
        />
        {mayDo("operator") && count > 0 && (
          <Button kind="danger" icon="trash" onClick={() => void remove(undefined)}>
            {texts.removeAll}
          </Button>
        )}
      </div>
      {error !== undefined && <ErrorNote title={texts.keysNotRead} error={error} onRetry={() => void keys.refresh()} />}
      {value === undefined ? (
        error === undefined && <Loading />
      ) : value.length === 0 ? (
        <p className="faint">{texts.noKey}</p>
      ) : (
        <>
          <Table
            label={texts.keysOf(name)}
            columns={columnsOf(kind, (key) => void remove(key))}
            rows={value}
            keyOf={({ key }) => key}
          />
          {value.length === most && <p className="faint">{texts.first(most)}</p>}
        </>
      )}
    </section>
  );
}

function columnsOf(kind: Schemas["StateRepository"]["kind"], onRemove: (key: string) => void): readonly Column<Key>[] {
  const columns: readonly Column<Key>[] = [
    {
      id: "key",
      title: texts.key,
      cell: ({ key, digest }) => (
        <>
          <code className="address">{key}</code> {digest === true && <span className="faint">{texts.digest}</span>}
        </>
      ),
    },
    { id: "at", title: texts.at, cell: ({ at }) => words.runs.at(at) },
    kind === "values"
      ? { id: "value", title: texts.value, cell: ({ value }) => value ?? "" }
      : {
          id: "run",
          title: texts.run,
          wideOnly: true,
          cell: ({ runId }) => runId !== null && <a href={hashOf(["runs", runId])}>{runId}</a>,
        },
  ];
  if (!mayDo("operator")) return columns;
  const remove: Column<Key> = {
    id: "remove",
    title: texts.remove,
    untitled: true,
    cell: ({ key }) => <IconButton icon="trash" label={texts.removeOne(key)} onClick={() => onRemove(key)} />,
  };
  return [...columns, remove];
}
