/**
 * The tasks of a check thread. The modules for mappings and test sessions are loaded with the first task that needs
 * them.
 */
import type { NormalizeResult } from "../shared/canonical.ts";
import type { CheckRequest, CheckResult, Description } from "../shared/check.ts";
import type { CompanionResult } from "../shared/companion.ts";
import type { ExpressionTrialRequest, ExpressionTrialResult } from "../shared/expression-trial.ts";
import type { KeptRequest, ShownMessage } from "../shared/kept.ts";
import type {
  MappingCheckRequest,
  MappingCheckResult,
  MappingTrialRequest,
  MappingTrialResult,
  TextAnswer,
  ValueTrialRequest,
} from "../shared/mapping.ts";
import type { AssessedAssertion, AssessRequest, MockCheckRequest, MockCheckResult } from "../shared/mock.ts";
import type { SplitRequest, SplitResult } from "../shared/set-document.ts";
import { catalog } from "./catalog.ts";
import { check as checkFlow } from "./check/check.ts";
import { describe as describeCatalog } from "./check/describe.ts";
import { compileFlow } from "./compile/compile-flow.ts";
import { withModules } from "./engine/late-module.ts";

/** Checks a flow's text; returns its model and manifest, or diagnostics. */
export function check(request: CheckRequest): Promise<CheckResult> {
  return withModules(() => checkFlow(request, catalog, compileFlow));
}

/** Rewrites a flow's text to the canonical spelling. */
export async function normalize(yaml: string): Promise<NormalizeResult> {
  const { normalize: rewrite } = await import("./check/canonical/normalize.ts");
  return rewrite(yaml, catalog);
}

/** Describes the catalogue, and the JSON Schema of a flow. */
export function describe(): Description {
  return describeCatalog(catalog);
}

/** Checks a mapping's document; returns the data for threads, or problems. */
export async function checkMapping(request: MappingCheckRequest): Promise<MappingCheckResult> {
  if (request.kind === "value") {
    const { checkValueMapping } = await import("./mappings/check-value-mapping.ts");
    return checkValueMapping(request);
  }
  const { checkMessageMapping } = await import("./mappings/check-message-mapping.ts");
  return withModules(() => checkMessageMapping(request));
}

/** Applies a message mapping to a message for a trial. */
export async function tryMapping(request: MappingTrialRequest): Promise<MappingTrialResult> {
  const { tryMessageMapping } = await import("./mappings/try-message-mapping.ts");
  return withModules(() => tryMessageMapping(request));
}

/** Checks a value mapping's document without installing it, and looks a value up in it. */
export async function tryValues(request: ValueTrialRequest): Promise<TextAnswer> {
  const { tryValueMapping } = await import("./mappings/try-value-mapping.ts");
  return tryValueMapping(request);
}

/** Returns a value mapping's rows as CSV. `document`: the stored document. */
export async function exportCsv(document: Uint8Array): Promise<TextAnswer> {
  const { valueMappingCsv } = await import("./mappings/value-csv.ts");
  try {
    return { answer: valueMappingCsv(new TextDecoder().decode(document)) };
  } catch (error) {
    return { problem: error instanceof Error ? error.message : String(error) };
  }
}

/** Reads the companion file of a flow. */
export async function readCompanion(text: string): Promise<CompanionResult> {
  const { readCompanion: read } = await import("./check/read-companion.ts");
  return read(text);
}

/** Reads the body of a deployment. */
export async function splitDeployment(request: SplitRequest): Promise<SplitResult> {
  const { splitSet } = await import("./check/split-set.ts");
  return splitSet(request);
}

/** Checks the mocks and assertions of a test session before it is opened. */
export async function checkMocks(request: MockCheckRequest): Promise<MockCheckResult> {
  const { mockProblems } = await import("./testing/mock-problems.ts");
  return withModules(() => mockProblems(request));
}

/** Evaluates the assertions of a test session that is closed. */
export async function assess(request: AssessRequest): Promise<readonly AssessedAssertion[]> {
  const { assessAll } = await import("./testing/assess.ts");
  return assessAll(request);
}

/** Evaluates an expression on a message of the caller's. */
export async function tryExpression(request: ExpressionTrialRequest): Promise<ExpressionTrialResult> {
  const { evaluateTrial } = await import("./testing/try-expression.ts");
  return withModules(() => evaluateTrial(request));
}

/** Shows a kept message, redacted. */
export async function showKept(request: KeptRequest): Promise<ShownMessage | { readonly problem: string }> {
  const shown = await import("./show-kept.ts");
  try {
    return shown.showKept(request);
  } catch (error) {
    return { problem: error instanceof Error ? error.message : String(error) };
  }
}
