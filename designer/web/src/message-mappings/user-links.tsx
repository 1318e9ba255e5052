/** The flows that use a mapping, each once, as links. */
import { hashOf } from "../app/hash.ts";
import { words } from "../words.ts";
import type { MappingSummary } from "./mapping-api.ts";

export function UserLinks({ users }: { readonly users: MappingSummary["usedBy"] }) {
  const flows = [...new Set(users.flatMap((user) => ("flowId" in user ? [user.flowId] : [])))];
  if (flows.length === 0) return <span className="faint">{words.messageMappings.notUsed}</span>;
  return (
    <span className="user-links">
      {flows.map((id) => (
        <a key={id} href={hashOf(["flows", id])}>
          {id}
        </a>
      ))}
    </span>
  );
}
