/** What a runtime reports on its standard output, as `run --dev` shows it: deployments and refusals stand out of the log. */
import { join } from "node:path";
import type { LogEvent } from "../client/index.ts";
import { sayNews } from "./dev-news.ts";
import { sayFindings } from "./findings.ts";
import { logLine } from "./log-line.ts";
import { checkProject, type Finding } from "./offline-check.ts";
import { type FlowFile, readProject, sourcesOf } from "./project.ts";
import { plainText, type Terminal } from "./terminal.ts";
import { counted } from "./times.ts";

const levels = ["TRACE", "DEBUG", "INFO", "WARN", "ERROR"];

/** A flow that was deployed or refused, until its file is checked. `refusal`: why the runtime has refused it. */
interface Waiting {
  readonly flowId: string;
  readonly ts: string;
  readonly refusal: string | undefined;
}

export class DevLog {
  readonly #terminal: Terminal;
  readonly #routes: string;
  readonly #listening: (url: string) => void;
  readonly #least: number;
  #waiting = new Map<string, Waiting>();
  #checking: Promise<void> | undefined;

  /** `listening`: called with the address, once the runtime has one. */
  constructor(terminal: Terminal, routes: string, listening: (url: string) => void) {
    this.#terminal = terminal;
    this.#routes = routes;
    this.#listening = listening;
    this.#least = Math.max(0, levels.indexOf(terminal.env["LOG_LEVEL"]?.trim().toUpperCase() ?? ""));
  }

  /** Shows a line of the runtime's output. */
  take(line: string): void {
    const event = eventOf(line);
    if (event === undefined) this.#terminal.say(plainText(line));
    else if (event.logger !== "runtime" || !this.#takeNews(event)) this.#show(event);
  }

  /** Resolves when all files that were deployed or refused are checked. */
  async settled(): Promise<void> {
    await this.#checking;
  }

  /** Returns whether the line is one that is shown in another form. */
  #takeNews(event: LogEvent): boolean {
    const { message, flowId, ts } = event;
    const url = /^listening on (\S+)$/.exec(message)?.[1];
    if (url !== undefined) this.#listening(url);
    // How much room the machine has is for operators.
    if (event.level === "INFO" && /^\d+ descriptors \(ulimit -n\)/.test(message)) return true;
    // They are deployed from here (dev-folder.ts).
    if (flowId === undefined && message.startsWith("the runtime does not read ")) return true;
    if (flowId === undefined || event.routeId !== undefined) return url !== undefined;
    const [, revision, ms] = /^revision (\d+) serves after ([\d.]+) ms/.exec(message) ?? [];
    if (revision !== undefined) {
      const text = `revision ${revision} serves after ${Math.round(Number(ms))} ms`;
      sayNews(this.#terminal, { name: flowId, good: true, text, ts });
      this.#check({ flowId, ts, refusal: undefined });
      return true;
    }
    const [, refusal] = /^(?:\S+\.yaml is )?not deployed: ([\s\S]*)$/.exec(message) ?? [];
    if (refusal !== undefined) {
      // A companion that was saved alone is deployed from here (dev-folder.ts).
      if (!refusal.includes(`${flowId}.flow.yaml has changed alone`)) this.#check({ flowId, ts, refusal });
      return true;
    }
    // The line above has said it.
    return message.endsWith(".yaml was deployed as it was dropped into the routes directory");
  }

  #show(event: LogEvent): void {
    if (levels.indexOf(event.level) >= this.#least) this.#terminal.say(logLine(this.#terminal, event));
  }

  /** Files that come together, as at the start, are checked together. The log goes on meanwhile. */
  #check(waiting: Waiting): void {
    this.#waiting.set(waiting.flowId, waiting);
    this.#checking ??= this.#checkAll().finally(() => {
      this.#checking = undefined;
    });
  }

  async #checkAll(): Promise<void> {
    while (this.#waiting.size > 0) {
      const all = [...this.#waiting.values()];
      this.#waiting = new Map();
      // All of the folder, since flows call each other. A file that cannot be read hides none of the others.
      const flows = this.#read("") ?? all.flatMap(({ flowId }) => this.#read(`${flowId}.yaml`) ?? []);
      // Without a verdict the runtime's own words are shown.
      const { findings } = await checkProject({ flows, documents: [] }).catch(() => ({ findings: [] }));
      const sources = sourcesOf({ flows, documents: [] });
      for (const one of all) {
        const flow = flows.find(({ id }) => id === one.flowId);
        this.#sayFound(
          one,
          findings.filter(({ file }) => file === flow?.path || file === flow?.companion?.path),
          sources,
        );
      }
    }
  }

  /** undefined: the file is gone again, or cannot be read. */
  #read(path: string): readonly FlowFile[] | undefined {
    try {
      return readProject([join(this.#routes, path)]).flows;
    } catch {
      return undefined;
    }
  }

  #sayFound(
    { flowId, ts, refusal }: Waiting,
    findings: readonly Finding[],
    sources: ReadonlyMap<string, string>,
  ): void {
    const errors = findings.filter(({ severity }) => severity === "error").length;
    if (refusal !== undefined) {
      const why = errors > 0 ? counted(errors, "error") : refusal;
      sayNews(this.#terminal, { name: flowId, good: false, text: `not deployed: ${plainText(why)}`, ts });
    }
    sayFindings(this.#terminal, findings, sources);
  }
}

/** undefined: the line is no event. */
function eventOf(line: string): LogEvent | undefined {
  try {
    const event = JSON.parse(line) as Partial<LogEvent> | null;
    return typeof event?.message === "string" && levels.includes(event.level ?? "") && typeof event.ts === "string"
      ? ({ logger: "", ...event } as LogEvent)
      : undefined;
  } catch {
    return undefined;
  }
}
