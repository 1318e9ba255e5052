/** The flows that use a mapping, each once, as links. */
import type { MappingUser } from "../api/runtime-mappings.ts";
import { hashOf } from "../app/hash.ts";
import { words } from "../words.ts";

export function UserLinks({ users }: { readonly users: readonly MappingUser[] }) {
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
