/** Who uses a mapping: steps of flows, and message mappings. */

import { workspaceFlows } from "../api/cache.ts";
import type { MappingUser } from "../api/runtime-mappings.ts";
import { hashOf } from "../app/hash.ts";
import { useStore } from "../ui/use-store.ts";
import { words } from "../words.ts";

interface UsersProps {
  readonly users: readonly MappingUser[];
  readonly onFollow?: (() => void) | undefined;
}

export function Users({ users, onFollow }: UsersProps) {
  const { value: flows } = useStore(workspaceFlows());
  return (
    <ul className="mapping-users">
      {users.map((user) =>
        "mapping" in user ? (
          <li key={`mapping ${user.mapping}`}>
            {words.valueMappings.messageMapping}{" "}
            <a href={hashOf(["message-mappings", user.mapping])} onClick={onFollow}>
              {user.mapping}
            </a>
          </li>
        ) : (
          <li key={`${user.flowId} ${user.routeId} ${user.stepId}`}>
            {flows?.some(({ id }) => id === user.flowId) === true ? (
              <a href={hashOf(["flows", user.flowId])} onClick={onFollow}>
                {user.flowId}
              </a>
            ) : (
              <span title={words.flows.runtimeOnlyText}>{user.flowId}</span>
            )}{" "}
            <span className="faint">{words.valueMappings.step(user.routeId, user.stepId)}</span>
          </li>
        ),
      )}
    </ul>
  );
}
