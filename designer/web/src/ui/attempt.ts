/** Runs an action and reports its failure as a notice. */
import { sentenceOf } from "../api/sentence.ts";
import { notify } from "./toast.tsx";

/** `title`: what could not be done. @returns what the action returns; undefined when it failed */
export async function attempt<T>(title: string, action: () => Promise<T>): Promise<T | undefined> {
  try {
    return await action();
  } catch (error) {
    notify({ kind: "error", text: `${title} ${sentenceOf(error)}` });
    return undefined;
  }
}
