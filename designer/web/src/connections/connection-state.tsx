/** How a connection is: its state with since when and why, its open connections, and who uses it. */
import { workspaceFlows } from "../api/cache.ts";
import { hashOf } from "../app/hash.ts";
import { Chip } from "../ui/chip.tsx";
import { useStore } from "../ui/use-store.ts";
import { words } from "../words.ts";
import type { ConnectionEntry, ConnectionUser } from "./connections-api.ts";

const { connections: texts } = words;
const tones = { ok: "good", failing: "bad", unknown: "plain" } as const;

export function StatusChip({ state, error }: Pick<ConnectionEntry, "state" | "error">) {
  if (error !== undefined)
    return (
      <Chip tone="bad" title={error}>
        {texts.broken}
      </Chip>
    );
  return <Chip tone={tones[state.status]}>{texts.statuses[state.status]}</Chip>;
}

/** The state in a row of the list: with its cause while it fails. */
export function StateCell({ entry }: { readonly entry: ConnectionEntry }) {
  const { failingSince, lastError } = entry.state;
  return (
    <span className="connection-state">
      <StatusChip {...entry} />
      {failingSince !== null && <span className="faint">{texts.since(failingSince)}</span>}
      {failingSince !== null && lastError !== null && <span className="list-problem">{lastError.message}</span>}
    </span>
  );
}

export function StateFigures({ entry }: { readonly entry: ConnectionEntry }) {
  const { state, maxConnections } = entry;
  const { open, idle, waiting, errors, failingSince, lastError } = state;
  return (
    <dl className="connection-found">
      <dt>{texts.status}</dt>
      <dd>
        <StatusChip {...entry} /> {failingSince !== null && texts.since(failingSince)}
      </dd>
      <dt>{texts.open}</dt>
      <dd>{texts.openOf(open, maxConnections)}</dd>
      <dt>{texts.idle}</dt>
      <dd>{idle}</dd>
      <dt>{texts.waiting}</dt>
      <dd>{waiting}</dd>
      <dt>{texts.errors}</dt>
      <dd>{errors}</dd>
      {lastError !== null && (
        <>
          <dt>{texts.lastError}</dt>
          <dd>
            {lastError.message} <span className="faint">({words.ui.time(lastError.at)})</span>
          </dd>
        </>
      )}
    </dl>
  );
}

interface UsersProps {
  readonly users: readonly ConnectionUser[];
  readonly onFollow?: (() => void) | undefined;
}

export function Users({ users, onFollow }: UsersProps) {
  const { value: flows } = useStore(workspaceFlows());
  if (users.length === 0) return <p className="faint">{texts.unused}</p>;
  return (
    <ul className="connection-users">
      {users.map(({ flowId, routeId, stepId }) => (
        <li key={`${flowId} ${routeId} ${stepId}`}>
          {flows?.some(({ id }) => id === flowId) === true ? (
            <a href={hashOf(["flows", flowId])} onClick={onFollow}>
              {flowId}
            </a>
          ) : (
            <span title={words.flows.runtimeOnlyText}>{flowId}</span>
          )}{" "}
          <span className="faint">{texts.place(routeId, stepId)}</span>
        </li>
      ))}
    </ul>
  );
}
