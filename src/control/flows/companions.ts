/** Reads companion files, `orders.flow.yaml` beside `orders.yaml`: the options of a flow that was written by hand, and its policy. */
import * as z from "zod";
import { companionSchema } from "../../shared/document-options.ts";
import { AppError } from "../../shared/errors.ts";
import type { Limits } from "../../shared/limits.ts";
import { problemLines } from "../../shared/problems.ts";
import { companionName } from "../stores/file-names.ts";
import { changeOptions, type FlowOptions, noOptions, sentOptions } from "../stores/flow-options.ts";
import type { CompanionText, FlowStore, FlowText } from "../stores/stores.ts";
import { type CheckPool, readAnswer } from "./check-pool.ts";

export interface Companion {
  /** All of them: an option that the file leaves out is not set. */
  readonly options: FlowOptions;
  /** null: the flow is to have none; undefined: the file says nothing of it. */
  readonly policy: Readonly<Record<string, unknown>> | null | undefined;
}

const place = z.int().positive();
const answerSchema = z.union([
  z.object({ problems: z.array(z.object({ line: place, column: place, message: z.string() })) }),
  z.object({ value: companionSchema }),
]);

export class Companions {
  readonly #checks: CheckPool;
  readonly #limits: Limits;

  constructor(checks: CheckPool, limits: Limits) {
    this.#checks = checks;
    this.#limits = limits;
  }

  /** Throws flow_invalid with the place of each problem. */
  async read(id: string, { text, problem }: CompanionText): Promise<Companion> {
    const file = companionName(id);
    if (problem !== undefined) throw new AppError("flow_invalid", `${file}: ${problem}`);
    const result = await this.#checks.task("readCompanion", text, this.#limits, this.#limits.checkMs);
    if ("failed" in result) throw new AppError("flow_invalid", `${file}: reading it takes too much: make it simpler`);
    const answer = readAnswer(answerSchema, result.answer);
    if ("problems" in answer) {
      const [first = `${file} was not accepted`, ...others] = answer.problems.map(
        ({ line, column, message }) => `${file}:${line}:${column}: ${message}`,
      );
      throw new AppError(
        "flow_invalid",
        problemLines(first, others, (count) => `${count} more`),
      );
    }
    const { policy, ...sent } = answer.value;
    return { options: changeOptions(noOptions, sentOptions(sent)), policy };
  }

  /** The options of a flow's file: of its companion when the flow was edited by hand and has one, or else those that it has. */
  async of(store: Pick<FlowStore, "companion">, { id, hash, head }: FlowText): Promise<Companion> {
    const edited = head === null || head.hash !== hash;
    const text = edited ? await store.companion(id) : undefined;
    return text === undefined ? { options: head ?? noOptions, policy: undefined } : this.read(id, text);
  }
}
