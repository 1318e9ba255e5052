/** Fields that a document has and its schema does not: one that is probably misspelt is refused, any other is warned of. */
import type { Diagnostic } from "../../shared/diagnostic.ts";
import { AppError } from "../../shared/errors.ts";
import { listProblems } from "../../shared/problems.ts";
import { listed, spellingOf } from "../../shared/suggest.ts";
import type { Warning } from "../flows/flow-service.ts";
import { anError, aWarning } from "./policy-facts.ts";

const mostWarnings = 20;
/** Each unknown name is compared with the known ones on the main thread. */
const mostUnknown = 100;

export interface UnknownFields {
  /** One line for each field that is near to a known one, which nobody may believe to have an effect; or one for too many fields. */
  readonly misspelt: readonly string[];
  readonly warnings: readonly Warning[];
}

const none: UnknownFields = { misspelt: [], warnings: [] };

/** `of`: the document, as a message begins with it. */
export function findUnknown(sent: object, known: readonly string[], of = "the body"): UnknownFields {
  const unknown = Object.keys(sent).filter((name) => !known.includes(name));
  if (unknown.length === 0) return none;
  if (unknown.length > mostUnknown)
    return {
      misspelt: [`${of} has ${unknown.length} unknown fields, more than ${mostUnknown}: leave them out`],
      warnings: [],
    };
  const meantBy = spellingOf(known);
  const near = unknown.map((name) => [name.slice(0, 100), meantBy(name)] as const);
  return {
    misspelt: near.flatMap(([name, meant]) =>
      meant === undefined ? [] : [`${of} has the unknown field '${name}': did you mean '${meant}'?`],
    ),
    warnings: near
      .filter(([, meant]) => meant === undefined)
      .slice(0, mostWarnings)
      .map(([name]) => ({
        code: "unknown_field",
        message: `${of} has the unknown field '${name}', which has no effect; known are ${listed(known)}`,
        line: null,
        column: null,
      })),
  };
}

/** Returns the warnings of these documents. Throws flow_invalid with all fields that are misspelt. */
export function refuseMisspelt(found: readonly UnknownFields[]): readonly Warning[] {
  const misspelt = found.flatMap((one) => one.misspelt);
  if (misspelt.length > 0) throw new AppError("flow_invalid", listProblems(misspelt));
  return found.flatMap(({ warnings }) => warnings).slice(0, mostWarnings);
}

/** Returns what a validation says of these fields. */
export function unknownDiagnostics({ misspelt, warnings }: UnknownFields): readonly Diagnostic[] {
  return [
    ...misspelt.map((message) => ({ ...anError, code: "unknown_field", message })),
    ...warnings.map((warning) => ({ ...aWarning, ...warning })),
  ];
}
