/** Deletes a value mapping. */
import { removeMapping as remove } from "../mappings/remove.tsx";
import { Users } from "./users.tsx";
import "./panels.css";

/** @returns whether it is deleted */
export function removeMapping(target: string, id: string): Promise<boolean> {
  return remove(
    { kind: "value", id, target },
    { mayForce: true, users: (users, onFollow) => <Users users={users} onFollow={onFollow} /> },
  );
}
