/** Reads the document of a connection, for a PUT, a set and the boot load. */

import { AppError } from "../../shared/errors.ts";
import { groupOf } from "../../shared/ids.ts";
import { formatNote, readDocument } from "../../shared/read-document.ts";
import { type ConnectionDocument, connectionDocument } from "./connection-document.ts";
import type { ConnectionRegister } from "./connection-register.ts";

/** Throws connection_invalid with all problems. */
export function readConnection(name: string, value: unknown): ConnectionDocument {
  const { value: document, problems, warnings } = readDocument(connectionDocument, value);
  if (document !== undefined && warnings.length === 0) return document;
  throw invalid(
    name,
    [...problems, ...warnings].map((note) => formatNote(note, "the document")),
  );
}

/** Throws connection_invalid for a second default. */
export function refuseSecondDefault(
  name: string,
  { kind, default: isDefault }: ConnectionDocument,
  register: ConnectionRegister,
): void {
  const other = isDefault ? register.otherDefault(name, kind) : undefined;
  if (other === undefined) return;
  const group = groupOf(name) === "" ? "connections without a group" : `group '${groupOf(name)}'`;
  throw invalid(name, [
    `/default: '${other.name}' is the default of the kind ${kind} for ${group} already: change that one first, or leave default out`,
  ]);
}

function invalid(name: string, problems: readonly string[]): AppError {
  return new AppError("connection_invalid", `connection '${name}': ${problems.join("; ")}`);
}
