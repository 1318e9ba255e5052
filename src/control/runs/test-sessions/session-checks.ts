/** Mocks and assertions in the check threads, which know matchers and languages; what they answer is read as from a stranger. */
import { AppError } from "../../../shared/errors.ts";
import type { Limits } from "../../../shared/limits.ts";
import type { AssessedAssertion, AssessRequest, MockCheckRequest } from "../../../shared/mock.ts";
import { allTold } from "../../../shared/problems.ts";
import type { CheckPool } from "../../flows/check-pool.ts";

const mostMessage = 4000;
/** Calls are many and large, where a request for a session is small: their assessment has so many times the time of a check. */
const assessing = 5;

export class SessionChecks {
  readonly #pool: Pick<CheckPool, "task">;
  readonly #limits: Limits;

  constructor(pool: Pick<CheckPool, "task">, limits: Limits) {
    this.#pool = pool;
    this.#limits = limits;
  }

  /** Throws session_invalid with all problems that there is room for. */
  async check(request: MockCheckRequest): Promise<void> {
    if (request.set.mocks.length + request.assertions.length === 0) return;
    const { problems } = objectOf(await this.#task("checkMocks", request, "checking the session"));
    const told = listOf(problems).map((problem) => {
      const { path, message } = objectOf(problem);
      return `${textOf(path)}: ${textOf(message)}`;
    });
    if (told.length > 0) throw new AppError("session_invalid", allTold(told));
  }

  /** One for each assertion. */
  async assess(request: AssessRequest): Promise<readonly AssessedAssertion[]> {
    const { assertions } = request;
    if (assertions.length === 0) return [];
    const told = listOf(await this.#task("assess", request, "evaluating its assertions"));
    if (told.length !== assertions.length) throw new Error("an assessment is one for each assertion");
    return told.map((one) => {
      const { passed, actual, message } = objectOf(one);
      if (typeof passed !== "boolean") throw new Error("an assertion holds or does not");
      return { passed, actual: actual ?? null, message: textOf(message) };
    });
  }

  async #task(name: string, request: unknown, doing: string): Promise<unknown> {
    const deadlineMs = this.#limits.checkMs * (name === "assess" ? assessing : 1);
    const result = await this.#pool.task(name, request, this.#limits, deadlineMs);
    if (!("failed" in result)) return result.told;
    const what = {
      late: `${doing} took longer than ${deadlineMs} ms: make it simpler, or try again when the machine is less busy`,
      memory: `${doing} needed too much memory: make it simpler`,
      ended: `the thread that was ${doing} ended: change the session, or look for a fault in the runtime`,
    }[result.failed];
    throw new AppError("session_invalid", what);
  }
}

function objectOf(told: unknown): Readonly<Record<string, unknown>> {
  if (typeof told !== "object" || told === null) throw new Error("a check thread has answered something else");
  return told as Readonly<Record<string, unknown>>;
}

function listOf(told: unknown): readonly unknown[] {
  if (!Array.isArray(told)) throw new Error("a check thread has answered something else");
  return told;
}

function textOf(told: unknown): string {
  if (typeof told !== "string") throw new Error("a check thread has answered something else");
  return told.length > mostMessage ? `${told.slice(0, mostMessage)}...` : told;
}
