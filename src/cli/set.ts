/** The body of POST /_api/deployments: what is in files, as one set. */
import type { components } from "../client/index.ts";
import { UsageError } from "./errors.ts";
import { optionsOf } from "./offline-check.ts";
import type { DocumentFile, Project } from "./project.ts";

export type SetDocument = components["schemas"]["SetInput"];

/** Throws UsageError for a companion file or a document that cannot be read: `bulkhead validate` shows where. */
export async function setOf({ flows, documents }: Project, set: string | undefined): Promise<SetDocument> {
  const sent: NonNullable<SetDocument["flows"]> = [];
  const optionsByPath = await optionsOf(flows);
  for (const flow of flows) {
    const options = optionsByPath.get(flow.path);
    if (options === undefined)
      throw new UsageError(`${flow.companion?.path} has faults: bulkhead validate ${flow.path} shows them`);
    sent.push({ ...options, id: flow.id, yaml: flow.text } as (typeof sent)[number]);
  }
  const of = (kind: DocumentFile["kind"]): readonly DocumentFile[] => documents.filter((one) => one.kind === kind);
  const mappings = [
    ...of("value-mappings").map(({ id, text }) => ({ kind: "value" as const, id, text })),
    ...of("message-mappings").map(({ id, text }) => ({ kind: "message" as const, id, text })),
  ];
  const policies = of("auth").map((file) => ({ flowId: file.id, policy: objectOf(file) }));
  const connections = of("connections").map((file) => ({ name: file.id, document: objectOf(file) }));
  return {
    ...(set !== undefined && { set }),
    ...{ flows: sent, mappings, policies, connections },
  } as SetDocument;
}

function objectOf({ path, text }: DocumentFile): { readonly [key: string]: unknown } {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    throw new UsageError(`${path}: ${error instanceof Error ? error.message : String(error)}`);
  }
  if (typeof value === "object" && value !== null && !Array.isArray(value)) return value as Record<string, unknown>;
  throw new UsageError(`${path}: it must be a JSON object`);
}
