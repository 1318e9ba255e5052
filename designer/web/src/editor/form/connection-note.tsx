/** Below an option that names a connection: what it is and how it is, or that the runtime has none that this flow may use. */
import { mayDo } from "../../api/session.ts";
import { target } from "../../api/target.ts";
import { hashOf } from "../../app/hash.ts";
import { StatusChip } from "../../connections/connection-state.tsx";
import { mayUse } from "../../connections/connection-use.ts";
import { connectionsOf } from "../../connections/connections-api.ts";
import { Button } from "../../ui/button.tsx";
import { useStore } from "../../ui/use-store.ts";
import { words } from "../../words.ts";
import type { EditorSession } from "../session/session.ts";

const { connectionNote: texts } = words.form;

interface ConnectionNoteProps {
  readonly session: EditorSession;
  /** Of the connection. */
  readonly name: string;
}

export function ConnectionNote({ session, name }: ConnectionNoteProps) {
  const at = useStore(target)?.name;
  return at === undefined ? null : <NoteOn target={at} session={session} name={name} />;
}

function NoteOn({ target: at, session, name }: ConnectionNoteProps & { readonly target: string }) {
  const { value: list } = useStore(connectionsOf(at));
  if (list === undefined) return null;
  const entry = list.find((one) => one.name === name);
  if (entry === undefined && hasBean(session, name)) return <p className="connection-note">{texts.bean}</p>;
  if (entry === undefined)
    return (
      <p className="connection-note missing">
        {texts.missing(name)}{" "}
        {mayDo("operator") ? (
          <Button icon="plus" onClick={() => void make(at, name)}>
            {texts.make}
          </Button>
        ) : (
          <a href={hashOf(["connections"])}>{texts.all}</a>
        )}
      </p>
    );
  const link = <a href={hashOf(["connections", name])}>{name}</a>;
  if (!mayUse(session.id, entry))
    return (
      <p className="connection-note missing">
        {texts.notAllowed} {link}
      </p>
    );
  return (
    <p className="connection-note">
      {link} <span className="faint">{entry.kind}</span> <StatusChip {...entry} />
      {entry.state.failingSince !== null && <span className="faint"> {entry.state.lastError?.message}</span>}
    </p>
  );
}

async function make(at: string, name: string): Promise<void> {
  const { createConnection } = await import("../../connections/create-connection.tsx");
  await createConnection(at, name);
}

/** Whether a bean of the flow may have this name. */
function hasBean(session: EditorSession, name: string): boolean {
  const { tree, flow } = session.get();
  if (!tree.others.some((other) => other.name === "beans")) return false;
  return flow.text.split("\n").some((line) => /^\s*(?:- )?\s*name:\s*["']?([^"'#\s]+)/.exec(line)?.[1] === name);
}
