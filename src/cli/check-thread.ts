/** A check thread as runtimes have them: the check of flows and mappings, and what flows are made of, with the few rights that a text of unknown origin gets. */
import { Worker } from "node:worker_threads";
import type { NormalizeResult } from "../shared/canonical.ts";
import type { CheckRequest, CheckResult, Description } from "../shared/check.ts";
import type { CompanionResult } from "../shared/companion.ts";
import type { MappingCheckRequest, MappingCheckResult } from "../shared/mapping.ts";

/** Beside a bundle, or among the sources. */
const entry = new URL(
  import.meta.url.endsWith(".js") ? "./check-worker.js" : "../workers/check-worker.ts",
  import.meta.url,
);

/** The entry exports functions; what calls them is loaded first, since the entry gives up the right to. */
const calling = `
  import { parentPort, workerData } from "node:worker_threads";
  const tasks = await import(workerData);
  parentPort.on("message", async ({ name, request }) => {
    try {
      parentPort.postMessage({ answer: await tasks[name](request) });
    } catch (error) {
      parentPort.postMessage({ fault: String(error?.stack ?? error) });
    }
  });`;

interface Tasks {
  check(request: CheckRequest): CheckResult;
  checkMapping(request: MappingCheckRequest): MappingCheckResult;
  /** The catalogue, and the JSON Schema of a flow. */
  describe(request: null): Description;
  readCompanion(text: string): CompanionResult;
  /** A flow's text in the canonical spelling. */
  normalize(yaml: string): NormalizeResult;
}

interface Answer {
  readonly answer?: unknown;
  readonly fault?: string;
}

export class CheckThread {
  readonly #worker = new Worker(new URL(`data:text/javascript,${encodeURIComponent(calling)}`), {
    workerData: entry.href,
  });

  /** One task at a time. Rejects when the thread ends. */
  run<Name extends keyof Tasks>(name: Name, request: Parameters<Tasks[Name]>[0]): Promise<ReturnType<Tasks[Name]>> {
    const worker = this.#worker;
    return new Promise((resolve, reject) => {
      const answered = ({ answer, fault }: Answer): void => {
        worker.off("error", reject).off("exit", ended);
        if (fault === undefined) resolve(answer as ReturnType<Tasks[Name]>);
        else reject(new Error(fault));
      };
      const ended = (): void => reject(new Error("the check has ended without an answer"));
      worker.once("message", answered).once("error", reject).once("exit", ended);
      worker.postMessage({ name, request });
    });
  }

  async close(): Promise<void> {
    await this.#worker.terminate();
  }
}

/** Describes what flows of this version are made of. */
export async function describeFlows(): Promise<Description> {
  const thread = new CheckThread();
  try {
    return await thread.run("describe", null);
  } finally {
    await thread.close();
  }
}
