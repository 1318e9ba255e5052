/** What control asks of a check thread about test sessions; what does it is loaded when the first one comes. */
import type { AssessedAssertion, AssessRequest, MockCheckRequest, MockCheckResult } from "../shared/mock.ts";
import { withModules } from "./engine/late-module.ts";

/** What a session brings, before it is opened. */
export async function checkMocks(request: MockCheckRequest): Promise<MockCheckResult> {
  const { mockProblems } = await import("./testing/mock-problems.ts");
  return withModules(() => mockProblems(request));
}

/** What a session has seen, when it is closed. */
export async function assess(request: AssessRequest): Promise<readonly AssessedAssertion[]> {
  const { assessAll } = await import("./testing/assess.ts");
  return assessAll(request);
}
