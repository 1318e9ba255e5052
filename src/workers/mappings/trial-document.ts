/** Checks the document that a trial brings along, in place of an installed mapping. */
import type { Limits } from "../../shared/limits.ts";
import type { MappingTrialRequest, MappingWarning } from "../../shared/mapping.ts";
import { isPlainObject } from "../engine/convert.ts";
import type { ValueLookup } from "../engine/mappings.ts";
import { checkContent, needed } from "./check-message-mapping.ts";
import { type CompiledMapping, compileMessageMapping } from "./compile-message-mapping.ts";
import { type MessageDocument, readMessageDocument } from "./message-document.ts";
import { runTest } from "./message-test-run.ts";
import { Findings, type PlacedProblem } from "./value-findings.ts";
import { NotUnderstood } from "./value-shape.ts";

/** The outcome of one of the document's tests. */
interface TestOutcome {
  readonly pointer: string;
  readonly name: string;
  readonly passed: boolean;
  /** Why it has failed. */
  readonly problem?: string;
}

export type TrialDocument =
  /** Value mappings that the request has to bring along, or to name as absent. */
  | { readonly needs: readonly string[] }
  /** The document would be refused. */
  | { readonly problems: readonly PlacedProblem[] }
  | {
      readonly mapping: CompiledMapping;
      readonly warnings: readonly MappingWarning[];
      runTests(values: (id: string) => ValueLookup): readonly TestOutcome[];
    };

/** `value`: the parsed document. Throws NotLoaded. */
export function readTrialDocument(value: unknown, request: MappingTrialRequest): TrialDocument {
  const { id, limits } = request;
  if (!isPlainObject(value)) return { problems: [{ pointer: "", message: "a message mapping is a JSON object" }] };
  const findings = new Findings();
  let document: MessageDocument;
  try {
    document = readMessageDocument(value, findings);
  } catch (error) {
    if (!(error instanceof NotUnderstood)) throw error;
    const [, pointer = "", message = error.message] = /^(\/\S*) ((?:is|has) .*)$/s.exec(error.message) ?? [];
    return { problems: [{ pointer, message }] };
  }
  const used = checkContent(document, findings);
  if (!findings.sound) return { problems: findings.placed };
  const needs = needed(request, [...used]);
  if (needs.length > 0) return { needs };
  for (const absent of [...used].filter((one) => request.absent.includes(one)))
    findings.warning("unknown_value_mapping", "", `there is no value mapping '${absent}': lookups in it fail`);
  const mapping = compileMessageMapping(id, document.model, limits);
  return {
    mapping,
    warnings: findings.warnings,
    runTests: (values) => testsOf(document, mapping, { id, limits, values }),
  };
}

interface Surroundings {
  readonly id: string;
  readonly limits: Limits;
  readonly values: (id: string) => ValueLookup;
}

function testsOf(document: MessageDocument, mapping: CompiledMapping, around: Surroundings): readonly TestOutcome[] {
  return document.tests.map((test) => {
    const problem = runTest(mapping, test, { ...around, reached: () => {} });
    const { pointer, name } = test;
    return { pointer, name, passed: problem === undefined, ...(problem !== undefined && { problem }) };
  });
}
