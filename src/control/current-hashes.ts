/** The hash of what a path of the management API names, as the audit log tells it before and after a change. */
import type { Policies } from "./access/policies.ts";
import type { HashOf } from "./api/audit.ts";
import type { FlowRegister } from "./flows/flow-register.ts";
import type { MappingService } from "./mappings/mapping-service.ts";

export function currentHashes(
  flows: Pick<FlowRegister, "get">,
  policies: Pick<Policies, "find">,
  mappings: Pick<MappingService, "list">,
): HashOf {
  return async (path, id) => {
    if (path.startsWith("/_api/flows/")) return flows.get(id)?.hash ?? undefined;
    if (path.startsWith("/_api/auth/")) return (await policies.find(id)).hash ?? undefined;
    const kind = path.startsWith("/_api/value-mappings/") ? "value" : "message";
    if (!path.startsWith(`/_api/${kind}-mappings/`)) return undefined;
    return (await mappings.list(kind)).find((mapping) => mapping.id === id)?.hash ?? undefined;
  };
}
