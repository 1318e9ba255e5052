/** The functions of simple as the reference, the catalog and completion show them: those of the message first. */
import { dataDocs } from "./data.ts";
import { messageDocs } from "./message.ts";
import type { FunctionDocs } from "./row.ts";
import { textDocs } from "./text.ts";

export type { FunctionDocs, Given } from "./row.ts";

/** The name of a function, as it is written behind `${`. */
export function functionName({ usage }: Pick<FunctionDocs, "usage">): string {
  return /^[\w-]+/.exec(usage)?.[0] ?? usage;
}

export const functionDocs: readonly FunctionDocs[] = [...messageDocs, ...textDocs, ...dataDocs];
