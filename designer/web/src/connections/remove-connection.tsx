/** Deletes a connection; one that is in use only after its users were named, since their routes are stopped. */
import { ApiError } from "../../../../src/client/errors.ts";
import { sentenceOf } from "../api/sentence.ts";
import { askInUse } from "../ui/ask-in-use.tsx";
import { confirm } from "../ui/confirm.tsx";
import { notify } from "../ui/toast.tsx";
import { words } from "../words.ts";
import { Users } from "./connection-state.tsx";
import { connectionsOf, deleteConnection } from "./connections-api.ts";
import { forgetConnection } from "./open-connections.ts";

const { connections: texts } = words;

/** @returns whether it is deleted */
export async function removeConnection(target: string, name: string): Promise<boolean> {
  const { removeTitle, removeText, remove } = texts;
  const goesOn = await confirm({ title: removeTitle(name), text: removeText, action: remove, danger: true });
  return goesOn && (await attemptRemoval(target, name, false));
}

async function attemptRemoval(target: string, name: string, force: boolean): Promise<boolean> {
  try {
    const { stopped } = await deleteConnection(target, name, force);
    forgetConnection(target, name);
    const routes = new Set(stopped.map(({ routeId }) => routeId)).size;
    notify({ kind: "done", text: texts.removed(name, routes) });
    return true;
  } catch (error) {
    const isUsed = error instanceof ApiError && error.code === "connection_in_use";
    if (!force && isUsed) return removeUsed(target, name, error.message);
    notify({ kind: "error", text: `${texts.removeFailed(name)} ${sentenceOf(error)}` });
    return false;
  }
}

async function removeUsed(target: string, name: string, message: string): Promise<boolean> {
  const list = connectionsOf(target);
  await list.refresh();
  const users = list.get().value?.find((entry) => entry.name === name)?.usedBy ?? [];
  const goesOn = await askInUse({
    ...{ title: texts.inUseTitle(name), text: texts.inUseText, remove: texts.removeAnyway, keep: texts.keep },
    users: (onFollow) => (users.length === 0 ? <p>{message}</p> : <Users users={users} onFollow={onFollow} />),
  });
  return goesOn && attemptRemoval(target, name, true);
}
