/** The boot load of mappings: each document is checked again, since what threads need of it is not kept. */
import { availableParallelism } from "node:os";
import { AppError } from "../../shared/errors.ts";
import type { MappingKind } from "../../shared/mapping.ts";
import type { DocumentStore, StoredDocument } from "../stores/documents.ts";
import { Gate } from "../threads/waiting.ts";
import type { MappingChecks } from "./mapping-checks.ts";
import { nameOf } from "./mapping-kinds.ts";
import { dataOf, type KnownMapping, type MappingRegister } from "./mapping-register.ts";

/** A broken one is listed with its problem, and `told` of it; the others are not held up. */
export async function loadMappings(
  kind: MappingKind,
  store: DocumentStore,
  register: MappingRegister,
  checks: MappingChecks,
  told: (problem: string) => void,
): Promise<void> {
  const { documents, broken } = await store.load();
  const gate = new Gate(availableParallelism());
  const checked = documents.map((document) => gate.pass(() => load(kind, document, checks)));
  const known: KnownMapping[] = [...broken, ...(await Promise.all(checked))];
  for (const mapping of known) {
    register.set(kind, mapping);
    if (mapping.problem !== undefined) told(`the ${nameOf(kind, mapping.id)} cannot be used: ${mapping.problem}`);
  }
}

async function load(kind: MappingKind, document: StoredDocument, checks: MappingChecks): Promise<KnownMapping> {
  const { text, ...version } = document;
  const { id } = version;
  try {
    const sent = { kind, id, media: "json", bytes: Buffer.from(text, "utf8"), stored: true } as const;
    const { data, facts } = await checks.check(sent);
    return { id, version, facts, data: dataOf(kind, version, data) };
  } catch (error) {
    if (error instanceof AppError && error.code === "draining") throw error;
    const problem = error instanceof AppError ? error.message : "an internal error: send it again";
    return { id, version, problem };
  }
}
