/** Deletes a mapping where it lives; one that a runtime's flows use only after it was said by whom. */
import type { ReactNode } from "react";
import { ApiError } from "../../../../src/client/errors.ts";
import { refreshMappings, runtimeMappings } from "../api/cache.ts";
import { type MappingUser, uninstall } from "../api/runtime-mappings.ts";
import { sentenceOf } from "../api/sentence.ts";
import { deleteMappingFile, listMappings } from "../api/workspace-mappings.ts";
import { askInUse } from "../ui/ask-in-use.tsx";
import { attempt } from "../ui/attempt.ts";
import { confirm } from "../ui/confirm.tsx";
import { notify } from "../ui/toast.tsx";
import { words } from "../words.ts";
import type { MappingRef } from "./base.ts";
import { forgetMapping } from "./open-mappings.ts";

const { mappings: texts } = words;

interface UsedMapping {
  /** Shows who uses it. */
  readonly users: (users: readonly MappingUser[], onFollow: () => void) => ReactNode;
  /** Whether one that is in use may be deleted all the same. */
  readonly mayForce: boolean;
}

/** @returns whether it is deleted */
export async function removeMapping(ref: MappingRef, used: UsedMapping): Promise<boolean> {
  const { kind, id, target } = ref;
  const files = await attempt(texts.removeFailed(id), () => listMappings());
  if (files === undefined) return false;
  const file = files.find((one) => one.kind === kind && one.id === id);
  const text = texts.removeText[file === undefined ? "runtime" : "workspace"];
  if (!(await confirm({ title: texts.removeTitle(id), text, action: texts.remove, danger: true }))) return false;
  const isDone =
    file === undefined
      ? await removeInstalled(ref, used, false)
      : await attempt(texts.removeFailed(id), async () => {
          await deleteMappingFile(kind, id, file.etag);
          return true;
        });
  refreshMappings(target);
  if (isDone !== true) return false;
  forgetMapping(ref);
  notify({ kind: "done", text: texts.removed(id) });
  return true;
}

async function removeInstalled(ref: MappingRef, used: UsedMapping, force: boolean): Promise<boolean> {
  const { kind, id, target } = ref;
  try {
    await uninstall(target, kind, id, force);
    return true;
  } catch (error) {
    if (!force && error instanceof ApiError && error.code === "mapping_in_use") return removeUsed(ref, used, error);
    notify({ kind: "error", text: `${texts.removeFailed(id)} ${sentenceOf(error)}` });
    return false;
  }
}

async function removeUsed(ref: MappingRef, used: UsedMapping, error: ApiError<string>): Promise<boolean> {
  const list = runtimeMappings(ref.target, ref.kind);
  await list.refresh();
  const users = list.get().value?.find((one) => one.id === ref.id)?.usedBy ?? [];
  const { mayForce } = used;
  const { message } = error;
  const goesOn = await askInUse({
    ...{ title: texts.inUse(ref.id), text: mayForce ? texts.inUseText : message, keep: texts.keep },
    remove: mayForce ? texts.removeAnyway : undefined,
    users: (onFollow) => (users.length === 0 ? mayForce && <p>{message}</p> : used.users(users, onFollow)),
  });
  return goesOn && removeInstalled(ref, used, true);
}
