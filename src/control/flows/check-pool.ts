/** The threads that read tenants' YAML: killable, without rights, with a deadline, their answers validated. */

import { Piscina } from "piscina";
import * as z from "zod";
import type { CheckRequest, CheckResult, Description } from "../../shared/check.ts";
import type { Diagnostic } from "../../shared/diagnostic.ts";
import { isFields } from "../../shared/document-fields.ts";
import { AppError } from "../../shared/errors.ts";
import type { FlowModel } from "../../shared/flow-model.ts";
import { defaultLimits, type Limits } from "../../shared/limits.ts";
import { formatNote, readDocument } from "../../shared/read-document.ts";
import { entries, versionOf } from "../threads/code.ts";
import { readManifest } from "../threads/line/thread-frames.ts";
import { threadFlags } from "../threads/local/thread-flags.ts";
import { bootFailure } from "../threads/thread-room.ts";
import { Gate } from "../threads/waiting.ts";

/** The messages of Piscina for a thread that ended, or was terminated, while it had a task. */
const threadGone = /^worker exited with code|^Terminating worker thread/i;

/** The deadline of a description, for which no tenant's text is read. */
const describeMs = 30_000;

/** The answer of a thread, which is still to be validated, or why there is none. */
export type TaskResult =
  | { readonly answer: unknown }
  | { readonly failed: "late" | "memory" | "ended"; readonly answer?: undefined };

export class CheckPool {
  readonly #threads: number;
  #pool: Piscina | undefined;
  /** Tasks wait here, since a wait in Piscina's own queue would count towards the deadline of a check. */
  readonly #gate: Gate;
  #closed = false;
  /** A thread has finished a task; false before the first one, and after a kill, when a new thread must boot. */
  #warm = false;
  /** Ids of threads that have booted. */
  readonly #booted = new Set<number>();
  /** The functions that reject the tasks under way. */
  readonly #failing = new Set<(error: Error) => void>();
  #description: Promise<Description> | undefined;
  readonly #entry: URL;
  #codeVersion: string | undefined;

  constructor(threads: number, entry: URL = entries.check) {
    this.#entry = entry;
    this.#threads = threads;
    this.#gate = new Gate(threads);
  }

  /** Boots a thread for the first task, which would boot it otherwise. */
  bootAhead(): void {
    if (!this.#closed) void this.#piscina;
  }

  get #piscina(): Piscina {
    this.#pool ??= this.#open();
    return this.#pool;
  }

  #open(): Piscina {
    const piscina = new Piscina({
      filename: this.#entry.href,
      minThreads: 1,
      maxThreads: this.#threads,
      idleTimeout: 10_000,
      ...threadFlags(this.#entry),
      resourceLimits: { maxOldGenerationSizeMb: 256 },
      recordTiming: false,
    });
    piscina.on("error", (error: Error) => this.#failUnbooted(error));
    piscina.on("workerCreate", ({ id }: { readonly id: number }) => this.#booted.add(id));
    piscina.on("workerDestroy", ({ id }: { readonly id: number }) => this.#booted.delete(id));
    return piscina;
  }

  /** Changes when the code of the check thread changes. */
  get codeVersion(): string {
    this.#codeVersion ??= versionOf(this.#entry);
    return this.#codeVersion;
  }

  /** A check that takes longer than `limits.checkMs` ends with its thread, and one diagnostic reports it. */
  check(request: CheckRequest): Promise<CheckResult> {
    return this.#gate.pass(() => this.#check(request));
  }

  async #check(request: CheckRequest): Promise<CheckResult> {
    const { checkMs } = request.limits;
    const result = await this.#task("check", request, request.limits, checkMs, []);
    if (!("failed" in result)) return readCheckResult(result.answer, request);
    const [code, message] = {
      late: [
        "check_timeout",
        `checking took longer than ${checkMs} ms: make the document simpler, or try again when the machine is less busy`,
      ],
      memory: ["check_memory", "checking needed too much memory: make the document simpler"],
      ended: [
        "check_ended",
        "the thread that checked the document ended: change the document, or look for a fault in the runtime",
      ],
    }[result.failed] as [string, string];
    return { diagnostics: [problem(code, message)] };
  }

  /** Runs another task in a check thread. `transfer`: memory of the request that is moved to the thread. */
  task(
    name: string,
    request: unknown,
    limits: Limits,
    deadlineMs: number,
    transfer: readonly ArrayBuffer[] = [],
  ): Promise<TaskResult> {
    return this.#gate.pass(() => this.#task(name, request, limits, deadlineMs, transfer));
  }

  async #task(
    name: string,
    request: unknown,
    limits: Limits,
    deadlineMs: number,
    transfer: readonly ArrayBuffer[],
  ): Promise<TaskResult> {
    try {
      const answer = await this.#within<unknown>(limits, deadlineMs, (signal) =>
        this.#piscina.run(request, { name, signal, transferList: [...transfer] as never }),
      );
      return { answer };
    } catch (error) {
      if (this.#closed) throw error;
      this.#warm = false;
      if (error instanceof Error && error.name === "AbortError") return { failed: "late" };
      if ((error as NodeJS.ErrnoException).code === "ERR_WORKER_OUT_OF_MEMORY") return { failed: "memory" };
      if (threadGone.test(String((error as Error).message))) return { failed: "ended" };
      throw bootFailure(error);
    }
  }

  /** Runs a task with a deadline, to which the boot of a thread on a busy machine does not count. */
  async #within<T>({ threadBootMs }: Limits, deadlineMs: number, run: (signal: AbortSignal) => Promise<T>): Promise<T> {
    if (this.#closed) throw closing();
    const before = this.#piscina.threads.length;
    const late = new AbortController();
    const result = run(late.signal);
    const { threads } = this.#piscina;
    const boots = !this.#warm || threads.length > before;
    const abort = (): void => {
      late.abort();
      // Piscina terminates the thread that has the task; one that never finished its boot would keep its place for ever.
      if (boots) for (const thread of threads) if (!this.#booted.has(thread.threadId)) void thread.terminate();
    };
    const timer = setTimeout(abort, boots ? deadlineMs + threadBootMs : deadlineMs);
    let fail: (error: Error) => void = () => {};
    try {
      const checked = await new Promise<T>((resolve, reject) => {
        fail = reject;
        this.#failing.add(reject);
        result.then(resolve, reject);
      });
      this.#warm = true;
      return checked;
    } catch (error) {
      // Piscina keeps a task whose thread could not start.
      late.abort();
      throw this.#closed ? closing() : error;
    } finally {
      clearTimeout(timer);
      this.#failing.delete(fail);
    }
  }

  /** A thread could not start. Tasks that no other thread will take would wait for all the time that they have. */
  #failUnbooted(error: Error): void {
    if (this.#piscina.threads.length > 0) return;
    for (const fail of this.#failing) fail(new Error(`no check thread can start: ${error.message}`, { cause: error }));
  }

  describe(): Promise<Description> {
    this.#description ??= this.#gate
      .pass(() =>
        this.#within<Description>(defaultLimits, describeMs, (signal) =>
          this.#piscina.run(undefined, { name: "describe", signal }),
        ),
      )
      .catch((error: unknown) => {
        this.#description = undefined;
        throw bootFailure(error);
      });
    return this.#description;
  }

  async close(): Promise<void> {
    this.#closed = true;
    await this.#pool?.destroy();
  }
}

function closing(): AppError {
  return new AppError("draining", "the runtime is shutting down", { "Retry-After": "10" });
}

function problem(code: string, message: string): Diagnostic {
  const nowhere = {
    line: null,
    column: null,
    endLine: null,
    endColumn: null,
    pointer: "",
    routeId: null,
    stepId: null,
  };
  return { severity: "error", code, message, ...nowhere };
}

const place = z.int().positive().nullable();
const id = z.string().nullable();
const diagnostic: z.ZodType<Diagnostic> = z.object({
  ...{ severity: z.enum(["error", "warning"]), code: z.string(), message: z.string() },
  ...{ line: place, column: place, endLine: place, endColumn: place },
  ...{ pointer: z.string(), routeId: id, stepId: id },
});

const isModel = (value: unknown): boolean => isFields(value) && Array.isArray(value["routes"]);
/** Made once: a schema is compiled when it is used first, which takes longer than the reading of an answer. */
const checkAnswer = z.object({
  flow: z.object({ model: z.custom<FlowModel>(isModel, "a flow is expected"), manifest: z.unknown() }).optional(),
  diagnostics: z.array(diagnostic),
});

/**
 * A check thread has just read a text that anybody may have written, so its answer is validated field by field. Throws for an
 * answer that the runtime's own checks never give. Which flow it is about follows from the request, not from the answer.
 */
export function readCheckResult(answer: unknown, { flowId }: CheckRequest): CheckResult {
  const { flow, diagnostics } = readAnswer(checkAnswer, answer);
  if (flow === undefined) return { diagnostics };
  if (flow.model.flowId !== flowId) throw new Error("a check thread has answered for another flow");
  return { flow: { model: flow.model, manifest: readManifest(flow.manifest, flow.model) }, diagnostics };
}

/**
 * Reads the answer of a check thread without trust: it has just read a document of unknown origin. Throws an Error with the place for
 * an answer that the runtime's own threads never send.
 */
export function readAnswer<T>(schema: z.ZodType<T>, answer: unknown): T {
  const { value, problems } = readDocument(schema, answer);
  if (value !== undefined) return value;
  const what = problems.map((problem) => formatNote(problem, "the answer"))[0];
  throw new Error(`a check thread has answered something else: ${what}`);
}

/** Makes a schema of a text that is cut to `most` characters. */
export function answeredText(most: number) {
  return z.string().transform((text) => (text.length > most ? `${text.slice(0, most)}...` : text));
}

/** Makes a schema of a list that is cut to its first `most` entries. */
export function answeredList<T>(entry: z.ZodType<T>, most: number) {
  return z
    .array(z.unknown())
    .transform((list) => list.slice(0, most))
    .pipe(z.array(entry));
}
