/** Checks mocks and assertions in the check threads, which have the matchers and languages. Their answers are validated like a stranger's. */
import * as z from "zod";
import { extendPointer, type Path, pointerOf } from "../../../shared/document-place.ts";
import type { ExpressionTrial, ExpressionTrialResult } from "../../../shared/expression-trial.ts";
import type { Limits } from "../../../shared/limits.ts";
import type { AssessedAssertion, AssessRequest, MockCheckRequest } from "../../../shared/mock.ts";
import { InvalidDocument } from "../../../shared/problems.ts";
import type { CheckPool } from "../../flows/check-pool.ts";
import { answeredText, readAnswer } from "../../flows/check-pool.ts";

const message = answeredText(4000);
const path = z.array(z.union([z.string(), z.int().nonnegative()]));
const checked = z.object({ problems: z.array(z.object({ path, message })) });
const verdicts = z.array(
  z
    .object({ passed: z.boolean(), actual: z.unknown().optional(), message })
    .transform((one): AssessedAssertion => ({ ...one, actual: one.actual ?? null })),
);
const evaluated = z.union([
  z.object({ value: z.unknown(), cut: z.boolean(), redacted: z.boolean() }),
  z.object({ error: message }),
]);
/** An assessment may take this many times the limit of a check: recorded calls are many and large, a request for a session is small. */
const assessing = 5;

export class SessionChecks {
  readonly #pool: Pick<CheckPool, "task">;
  readonly #limits: Limits;

  constructor(pool: Pick<CheckPool, "task">, limits: Limits) {
    this.#pool = pool;
    this.#limits = limits;
  }

  /** Throws InvalidDocument with the problems. `places`: where each mock of the set is in the request. */
  async check(request: MockCheckRequest, places: readonly string[]): Promise<void> {
    if (request.set.mocks.length + request.assertions.length === 0) return;
    const { problems } = readAnswer(checked, await this.#task("checkMocks", request, "checking the session"));
    if (problems.length === 0) return;
    throw new InvalidDocument(
      "session_invalid",
      problems.map(({ path, message }) => ({ pointer: asSent(path, places), message })),
    );
  }

  /** Returns one result for each assertion. */
  async assess(request: AssessRequest): Promise<readonly AssessedAssertion[]> {
    const { assertions } = request;
    if (assertions.length === 0) return [];
    const assessed = readAnswer(verdicts, await this.#task("assess", request, "evaluating its assertions"));
    if (assessed.length !== assertions.length) throw new Error("an assessment is one for each assertion");
    return assessed;
  }

  /** Returns what the expression gives for the message, or why it gives nothing. */
  async evaluate(trial: ExpressionTrial): Promise<ExpressionTrialResult> {
    try {
      const limits = this.#limits;
      return readAnswer(
        evaluated,
        await this.#task("tryExpression", { ...trial, limits }, "evaluating the expression"),
      );
    } catch (error) {
      // It takes too long, or too much memory.
      if (!(error instanceof InvalidDocument)) throw error;
      return { error: error.problems[0]?.message ?? error.message };
    }
  }

  async #task(name: string, request: unknown, doing: string): Promise<unknown> {
    const deadlineMs = this.#limits.checkMs * (name === "assess" ? assessing : 1);
    const result = await this.#pool.task(name, request, this.#limits, deadlineMs);
    if (!("failed" in result)) return result.answer;
    const what = {
      late: `${doing} took longer than ${deadlineMs} ms: make it simpler, or try again when the machine is less busy`,
      memory: `${doing} needed too much memory: make it simpler`,
      ended: `the thread that was ${doing} ended: change the session, or look for a fault in the runtime`,
    }[result.failed];
    throw new InvalidDocument("session_invalid", [{ pointer: "", message: what }]);
  }
}

/** Returns the place in the request of a problem that a check thread has found in the set, or in the assertions. */
function asSent([list, index, ...rest]: Path, places: readonly string[]): string {
  const mock = list === "mocks" ? places[Number(index)] : undefined;
  return mock === undefined
    ? pointerOf([list, index, ...rest].filter((key) => key !== undefined))
    : rest.reduce<string>(extendPointer, mock);
}
