/** Validates the answers of check threads about mappings: a check thread has just read a document that anybody may have written. */
import * as z from "zod";
import { idProblem } from "../../shared/ids.ts";
import type { Limits } from "../../shared/limits.ts";
import type {
  MappingFacts,
  MappingKind,
  MappingTrialResult,
  MappingWarning,
  TextAnswer,
} from "../../shared/mapping.ts";
import { answeredList, answeredText, readAnswer } from "../flows/check-pool.ts";

/** The most entries of a list, which is cut there, and the most characters of a name or a message in it. */
const mostEntries = 1000;
const mostText = 4000;
/** A mapping is at most this many times as large as its document. */
const mostGrowth = 16;

export interface AcceptedMapping {
  readonly facts: MappingFacts;
  readonly warnings: readonly MappingWarning[];
  readonly data: Uint8Array;
  readonly kept: string | undefined;
}

export type CheckAnswer =
  | { readonly needs: readonly string[] }
  | { readonly problems: readonly string[]; readonly malformed: boolean }
  | { readonly accepted: AcceptedMapping };

const text = answeredText(mostText);
const texts = answeredList(text, mostEntries);
const ids = answeredList(
  z.string().refine((id) => idProblem(id) === undefined, "the id of a mapping is expected"),
  mostEntries,
);
const count = z.int().nonnegative();
const common = {
  name: text,
  shared: z.unknown().transform((shared) => shared === true),
  tests: z.object({ passed: count, failed: count }),
  uses: ids,
};
const factsOf: { readonly [Kind in MappingKind]: z.ZodType<MappingFacts> } = {
  value: z.object({ ...common, rows: count, columns: texts }),
  message: z.object({ ...common, rules: count, compiledRules: count, untestedRules: texts }),
};

const needed = z.object({ needs: ids });
const refused = z.object({ problems: texts, malformed: z.literal(true).optional() });

function accepted(kind: MappingKind, mostBytes: number) {
  return z.object({
    facts: factsOf[kind],
    warnings: answeredList(z.object({ code: text, message: text }), mostEntries),
    data: z
      .instanceof(Uint8Array)
      .refine((data) => !(data.buffer instanceof SharedArrayBuffer), "memory that is not shared is expected")
      .refine((data) => data.length <= mostBytes, `at most ${mostBytes} bytes are expected`)
      // A view on a larger buffer would be sent to threads with the whole buffer.
      .transform((data) => (data.length === data.buffer.byteLength ? data : data.slice())),
    kept: z
      .string()
      .max(mostBytes)
      .refine((kept) => kept.isWellFormed(), "a text of whole characters is expected")
      .optional(),
  });
}

/** Throws for an answer that the runtime's own checks never give. */
export function readCheckAnswer(answer: unknown, kind: MappingKind, { mappingBytes }: Limits): CheckAnswer {
  if (has(answer, "needs")) return readAnswer(needed, answer);
  if (has(answer, "problems")) {
    const { problems, malformed = false } = readAnswer(refused, answer);
    return { problems, malformed };
  }
  const { facts, warnings, data, kept } = readAnswer(accepted(kind, mappingBytes * mostGrowth), answer);
  return { accepted: { facts, warnings, data, kept } };
}

/** Returns the text of the answer, or why there is none. */
export function readTextAnswer(answer: unknown): TextAnswer {
  return has(answer, "problem")
    ? readAnswer(z.object({ problem: text, malformed: z.literal(true).exactOptional() }), answer)
    : readAnswer(z.object({ answer: z.string() }), answer);
}

export function readTrialAnswer(answer: unknown): MappingTrialResult {
  if (has(answer, "needs")) return readAnswer(needed, answer);
  return has(answer, "unknown") ? { unknown: true } : readTextAnswer(answer);
}

function has(answer: unknown, name: string): boolean {
  return typeof answer === "object" && answer !== null && Reflect.get(answer, name) !== undefined;
}
