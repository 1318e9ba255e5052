/** The threads that read tenants' YAML: killable, without rights, with a deadline. A Piscina pool; this file is its door. */
import { Piscina } from "piscina";
import type { CheckRequest, CheckResult, Description } from "../../shared/check.ts";
import type { Diagnostic } from "../../shared/diagnostic.ts";
import { AppError } from "../../shared/errors.ts";
import { threadEntries } from "./code.ts";
import { Gate } from "./gate.ts";
import { threadFlags } from "./thread-flags.ts";

const bootMs = 5000;

export class CheckPool {
  readonly #piscina: Piscina;
  /** Piscina's own queue would be part of a check's deadline. */
  readonly #gate: Gate;
  #closed = false;
  /** A thread is there that has done something; the first one, and one that replaces a killed one, must boot. */
  #warm = false;
  #description: Promise<Description> | undefined;

  constructor(threads: number) {
    this.#gate = new Gate(threads);
    this.#piscina = new Piscina({
      filename: threadEntries.check.href,
      minThreads: 1,
      maxThreads: threads,
      idleTimeout: 10_000,
      env: threadFlags.env,
      execArgv: threadFlags.execArgv,
      resourceLimits: { maxOldGenerationSizeMb: 256 },
      recordTiming: false,
    });
    this.#piscina.on("error", () => {});
  }

  /** A check that takes longer than `limits.checkMs` ends with its thread, and with one diagnostic that says so. */
  check(request: CheckRequest): Promise<CheckResult> {
    return this.#gate.pass(() => this.#check(request));
  }

  async #check(request: CheckRequest): Promise<CheckResult> {
    if (this.#closed) throw new AppError("draining", "the runtime is shutting down", { "Retry-After": "10" });
    try {
      return await this.#within(request.limits.checkMs, (signal) =>
        this.#piscina.run(request, { name: "check", signal }),
      );
    } catch (error) {
      this.#warm = false;
      if (error instanceof Error && error.name === "AbortError") {
        return {
          diagnostics: [
            problem(
              "check_timeout",
              `checking took longer than ${request.limits.checkMs} ms: make the document simpler`,
            ),
          ],
        };
      }
      if ((error as NodeJS.ErrnoException).code === "ERR_WORKER_OUT_OF_MEMORY") {
        return { diagnostics: [problem("check_memory", "checking needed too much memory: make the document simpler")] };
      }
      throw error;
    }
  }

  /** The time that a thread needs to boot on a busy machine is not the document's. */
  async #within(limitMs: number, run: (signal: AbortSignal) => Promise<CheckResult>): Promise<CheckResult> {
    const { length: threads } = this.#piscina.threads;
    const late = new AbortController();
    const result = run(late.signal);
    const boots = !this.#warm || this.#piscina.threads.length > threads;
    const timer = setTimeout(() => late.abort(), boots ? limitMs + bootMs : limitMs);
    try {
      const checked = await result;
      this.#warm = true;
      return checked;
    } finally {
      clearTimeout(timer);
    }
  }

  describe(): Promise<Description> {
    this.#description ??= this.#gate
      .pass(() => this.#piscina.run(undefined, { name: "describe" }) as Promise<Description>)
      .catch((error: unknown) => {
        this.#description = undefined;
        throw error;
      });
    return this.#description;
  }

  async close(): Promise<void> {
    this.#closed = true;
    await this.#piscina.destroy();
  }
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
