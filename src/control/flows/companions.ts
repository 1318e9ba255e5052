/**
 * Reads what lies beside a flow's file that was written by hand: its options and its policy, in the companion `orders.flow.yaml`, or the
 * policy alone, in `documents/auth/orders.json`.
 */
import * as z from "zod";
import { isFields } from "../../shared/document-fields.ts";
import { companionSchema } from "../../shared/document-options.ts";
import { AppError } from "../../shared/errors.ts";
import type { Limits } from "../../shared/limits.ts";
import { problemLines } from "../../shared/problems.ts";
import { companionName, policyFileName } from "../stores/file-names.ts";
import { changeOptions, type FlowOptions, noOptions, sentOptions } from "../stores/flow-options.ts";
import type { CompanionText, FilesBeside, FlowStore, FlowText } from "../stores/stores.ts";
import { type CheckPool, readAnswer } from "./check-pool.ts";
import type { FilePolicy } from "./flow-service.ts";

export interface Companion {
  /** All of them: an option that the file leaves out is not set. undefined: there is no companion. */
  readonly options: FlowOptions | undefined;
  /** undefined: no file says anything of a policy. */
  readonly policy: FilePolicy | undefined;
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
  async read(id: string, { companion, policy }: FilesBeside): Promise<Companion> {
    const own = companion && (await this.#read(id, companion));
    return { options: own?.options, policy: own?.policy ?? (policy && policyOf(id, policy)) };
  }

  async #read(id: string, { text, problem }: CompanionText): Promise<Companion> {
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
    return {
      options: changeOptions(noOptions, sentOptions(sent)),
      policy: policy === undefined ? undefined : { file, ifNone: false, read: () => policy },
    };
  }

  /** The options of a flow's file: of its companion when the flow was edited by hand and has one, or else those that it has. */
  async of(
    store: Pick<FlowStore, "beside">,
    { id, hash, head }: FlowText,
  ): Promise<Companion & { readonly options: FlowOptions }> {
    const edited = head === null || head.hash !== hash;
    const { options, policy } = await this.read(id, edited ? await store.beside(id) : {});
    return { options: options ?? head ?? noOptions, policy };
  }
}

/** The policy beside a flow that has none yet: the flow is never served without it. Later `bulkhead deploy` changes it. */
function policyOf(id: string, { text, problem }: CompanionText): FilePolicy {
  const file = policyFileName(id);
  const refuse = (why: string): never => {
    throw new AppError(
      "flow_invalid",
      `${file}: ${why}. The flow is not served without this policy: fix it, then run bulkhead reload ${id}`,
    );
  };
  const read = (): Readonly<Record<string, unknown>> => {
    if (problem !== undefined) return refuse(problem);
    let value: unknown;
    try {
      value = JSON.parse(text);
    } catch (error) {
      const why = error instanceof Error ? error.message : String(error);
      // The message quotes the text, line breaks included.
      return refuse(`it is not JSON: ${why.replaceAll(/\s+/g, " ")}`);
    }
    return isFields(value) ? value : refuse("it is not a JSON object");
  };
  return { file, ifNone: true, read };
}
