/** What a check thread answers about mappings, read as from a stranger: it has just read a document that anybody may have written. */
import { idProblem } from "../../shared/ids.ts";
import type { Limits } from "../../shared/limits.ts";
import type { MappingFacts, MappingKind, MappingTests, MappingWarning } from "../../shared/mapping.ts";

/** Of a list, whose further entries are not told, and of a name or a message in it. */
const mostEntries = 1000;
const mostText = 4000;
/** A mapping is larger than its document at the most by this factor. */
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

/** Throws for an answer that the runtime's own checks never give. */
export function readCheckAnswer(told: unknown, kind: MappingKind, { mappingBytes }: Limits): CheckAnswer {
  const { needs, problems, malformed, facts, warnings, data, kept } = objectOf(told);
  if (needs !== undefined) return { needs: idsOf(needs) };
  if (problems !== undefined) return { problems: textsOf(problems), malformed: malformed === true };
  const most = mappingBytes * mostGrowth;
  if (!(data instanceof Uint8Array) || data.buffer instanceof SharedArrayBuffer || data.length > most) {
    throw new Error("a mapping is bytes");
  }
  if (kept !== undefined && (typeof kept !== "string" || !kept.isWellFormed() || kept.length > most)) {
    throw new Error("what is kept is a text");
  }
  return {
    accepted: {
      facts: readFacts(objectOf(facts), kind),
      warnings: listOf(warnings).map(readWarning),
      // A view on a larger buffer would be sent to threads with all of it.
      data: data.length === data.buffer.byteLength ? data : data.slice(),
      kept,
    },
  };
}

/** The answer's text, or why there is none. */
export function readTextAnswer(told: unknown): { readonly answer: string } | { readonly problem: string } {
  const { answer, problem } = objectOf(told);
  return problem === undefined ? { answer: textOf(answer, Number.POSITIVE_INFINITY) } : { problem: textOf(problem) };
}

function readFacts(told: Readonly<Record<string, unknown>>, kind: MappingKind): MappingFacts {
  const common = {
    name: textOf(told["name"]),
    shared: told["shared"] === true,
    tests: readTests(told["tests"]),
    uses: idsOf(told["uses"]),
  };
  if (kind === "value") return { ...common, rows: count(told["rows"]), columns: textsOf(told["columns"]) };
  return {
    ...common,
    rules: count(told["rules"]),
    compiledRules: count(told["compiledRules"]),
    untestedRules: textsOf(told["untestedRules"]),
  };
}

function readTests(told: unknown): MappingTests {
  const { passed, failed } = objectOf(told);
  return { passed: count(passed), failed: count(failed) };
}

function readWarning(told: unknown): MappingWarning {
  const { code, message } = objectOf(told);
  return { code: textOf(code), message: textOf(message) };
}

function idsOf(told: unknown): string[] {
  const ids = textsOf(told);
  if (ids.some((id) => idProblem(id) !== undefined)) throw new Error("a mapping that is used has an id");
  return ids;
}

function textsOf(told: unknown): string[] {
  return listOf(told).map((one) => textOf(one));
}

function listOf(told: unknown): unknown[] {
  if (!Array.isArray(told)) throw new Error("a list is missing");
  return told.slice(0, mostEntries);
}

function objectOf(told: unknown): Readonly<Record<string, unknown>> {
  if (typeof told !== "object" || told === null) throw new Error("an object is missing");
  return told as Readonly<Record<string, unknown>>;
}

function textOf(told: unknown, most = mostText): string {
  if (typeof told !== "string") throw new Error("a text is missing");
  return told.length > most ? `${told.slice(0, most)}...` : told;
}

function count(told: unknown): number {
  if (!Number.isSafeInteger(told) || (told as number) < 0) throw new Error("a count is a whole number");
  return told as number;
}
