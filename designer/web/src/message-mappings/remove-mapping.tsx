/** Deletes a message mapping. One that flows use is not deleted: who they are is shown. */
import { hashOf } from "../app/hash.ts";
import { removeMapping as remove } from "../mappings/remove.tsx";
import { UserLinks } from "./user-links.tsx";

/** @returns whether it is deleted */
export async function removeMapping(target: string, id: string): Promise<boolean> {
  const isDone = await remove(
    { kind: "message", id, target },
    {
      mayForce: false,
      users: (users, onFollow) => (
        // biome-ignore lint/a11y/useKeyWithClickEvents: a link inside was followed
        <p onClick={onFollow}>
          <UserLinks users={users} />
        </p>
      ),
    },
  );
  if (isDone && location.hash.startsWith(hashOf(["message-mappings", id])))
    location.hash = hashOf(["message-mappings"]);
  return isDone;
}
