/** Makes a mapping that a flow names and nobody has: a draft of the workspace, which is opened beside the flow. */

import { hashOf } from "../../app/hash.ts";
import { isOvertaken, type MappingRef, writeNew } from "../../mappings/base.ts";
import type { FlowText } from "../../model/index.ts";
import { attempt } from "../../ui/attempt.ts";
import { words } from "../../words.ts";
import { besideAddress } from "./beside.ts";

export async function makeMapping(ref: MappingRef, flow: FlowText, flowId: string): Promise<void> {
  const isThere = await attempt(words.mappings.makeFailed(ref.id), async () => {
    try {
      await writeNew(ref, "workspace", await newText(ref, flow));
    } catch (error) {
      // Somebody else has made it meanwhile: that one is opened.
      if (!isOvertaken(error)) throw error;
    }
    return true;
  });
  if (isThere === true) location.hash = hashOf(["flows", flowId], besideAddress(ref));
}

async function newText({ kind, id }: MappingRef, { documents }: FlowText): Promise<string> {
  if (kind === "message") return (await import("../../message-mappings/create-mapping.tsx")).newDocument(id);
  const step = findStep(
    documents.map((document) => document.toJS({ maxAliasCount: 50 }) as unknown),
    id,
  );
  const columns = [nameOf(step?.["from"]) ?? "from", nameOf(step?.["to"]) ?? "to"];
  return (await import("../../value-mappings/create.tsx")).newDocument("", columns);
}

type Fields = Readonly<Record<string, unknown>>;

/** The first step that names the value mapping with its columns. */
function findStep(value: unknown, id: string): Fields | undefined {
  if (typeof value !== "object" || value === null) return undefined;
  const step: unknown = (value as Fields)["valueMapping"];
  if (typeof step === "object" && step !== null && (step as Fields)["id"] === id) return step as Fields;
  for (const one of Object.values(value)) {
    const found = findStep(one, id);
    if (found !== undefined) return found;
  }
  return undefined;
}

function nameOf(value: unknown): string | undefined {
  return typeof value === "string" && value !== "" ? value : undefined;
}
