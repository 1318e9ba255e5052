/** Who uses the mapping that is open. */
import { valueMappings } from "../api/cache.ts";
import { useStore } from "../ui/use-store.ts";
import { words } from "../words.ts";
import type { PanelProps } from "./panels.ts";
import { Users } from "./users.tsx";

export function UsersPanel({ session: { target, id } }: PanelProps) {
  const { value } = useStore(valueMappings(target));
  const users = value?.find((entry) => entry.id === id)?.usedBy ?? [];
  return (
    <div className="mapping-panel">
      <p className="faint">{users.length === 0 ? words.valueMappings.noUsers : words.valueMappings.usersText}</p>
      <Users users={users} />
    </div>
  );
}
