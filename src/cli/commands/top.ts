import { setTimeout as pause } from "node:timers/promises";
import { ApiError, type BulkheadClient, UnreachableError } from "../../client/index.ts";
import { UsageError } from "../errors.ts";
import { oneOf, wholeNumber } from "../options.ts";
import { Screen } from "../screen.ts";
import { plainLine, sayJson, type Terminal } from "../terminal.ts";
import { shortTime } from "../times.ts";
import { figuresOf, type Sample, takeSample } from "../top-sample.ts";
import { type Sort, sayFigures, sorted, sorts, sumsOf } from "../top-shown.ts";
import { type AddCommand, addCommand, type TargetOptions, withJson, withTarget } from "../tree.ts";

interface Options extends TargetOptions {
  readonly json?: boolean;
  readonly once?: boolean;
  readonly interval: number;
  readonly sort: Sort;
  readonly limit?: number;
}

/** A runtime that has not answered after this time (ms) is lost. */
const patienceMs = 10_000;

export const addTop: AddCommand = (parent, { terminal, connect }) => {
  const command = addCommand(parent, "top", {
    summary: "shows what flows use: CPU, memory, runs a second, errors, threads and queues",
    details:
      "On a terminal the table is refreshed in place until q or Ctrl-C; c, m, r, e and n sort it by CPU, memory, runs, errors or name. Piped, with --once and with --json it is printed once, after the interval over which the rates are measured. CPU: 100 % is one processor. Memory: heaps of the threads, and what they have outside of them. Errors: runs that failed, timed out, were killed or were not accepted, since the runtime's start.",
    examples: [
      "bulkhead top --sort memory --limit 10",
      "bulkhead top --once --interval 5",
      "bulkhead top --once --json",
    ],
  });
  withJson(withTarget(command), "prints the figures as JSON, once")
    .option("--once", "prints the table once")
    .option("--interval <seconds>", "the time between two looks", seconds, 1)
    .addOption(oneOf("--sort <by>", "what comes first", sorts).default("cpu"))
    .option("--limit <number>", "at most so many flows", wholeNumber("--limit"))
    .action(async (options: Options) => {
      const api = await connect(options);
      const still = options.once === true || options.json === true || terminal.width === undefined;
      await (still || terminal.env["TERM"] === "dumb" ? once(api, terminal, options) : live(api, terminal, options));
    });
};

function seconds(given: string): number {
  const number = Number(given);
  if (/^\d+(\.\d+)?$/.test(given) && number >= 0.1 && number <= 3600) return number;
  throw new UsageError(`--interval takes seconds from 0.1 to 3600, and '${given}' is none`);
}

async function once(api: BulkheadClient, terminal: Terminal, options: Options): Promise<void> {
  const before = await takeSample(api, AbortSignal.timeout(patienceMs));
  await pause(options.interval * 1000);
  const now = await takeSample(api, AbortSignal.timeout(patienceMs));
  const flows = sorted(figuresOf(now, before), options.sort).slice(0, options.limit);
  if (options.json === true) {
    const measured = (now.clockMs - before.clockMs) / 1000;
    sayJson(terminal, { at: new Date(now.at).toISOString(), seconds: measured, flows });
  } else sayFigures(terminal, flows, options.sort);
}

async function live(api: BulkheadClient, terminal: Terminal, options: Options): Promise<void> {
  let { sort } = options;
  let before: Sample | undefined;
  // A runtime that does not answer at all is refused as by every command, before the screen is taken.
  let now = await takeSample(api, AbortSignal.timeout(patienceMs));
  let lost: string | undefined;
  const draw = (): void =>
    screen.draw((page) => {
      const flows = figuresOf(now, before);
      page.say(
        `${page.paint("bold", "bulkhead top")} ${api.url}  ${page.paint("dim", shortTime(new Date(now.at).toISOString()))}`,
      );
      page.say(lost === undefined ? sumsOf(flows) : page.paint("red", `${plainLine(lost)}: trying again`));
      page.say(page.paint("dim", "q ends · sort: c CPU, m memory, r runs, e errors, n name"));
      page.say("");
      const faded: Terminal = lost === undefined ? page : { ...page, paint: (_style, text) => page.paint("dim", text) };
      sayFigures(faded, sorted(flows, sort).slice(0, options.limit), sort);
    });
  const screen = new Screen(terminal, {
    onResize: draw,
    onKey: (key) => {
      sort = sorts.find((by) => by.startsWith(key)) ?? sort;
      draw();
    },
  });
  screen.open();
  try {
    for (;;) {
      draw();
      await pause(options.interval * 1000, undefined, { signal: screen.ended });
      const next = await look(api, screen.ended);
      if (typeof next === "string") lost = next;
      else {
        // The counts of a runtime that was lost may be those of another start.
        before = lost === undefined ? now : undefined;
        [now, lost] = [next, undefined];
      }
    }
  } catch (error) {
    if (!screen.ended.aborted) throw error;
  } finally {
    screen.close();
  }
}

/** Resolves with why there is no sample, when another attempt may bring one. */
async function look(api: BulkheadClient, ended: AbortSignal): Promise<Sample | string> {
  const late = AbortSignal.timeout(patienceMs);
  try {
    return await takeSample(api, AbortSignal.any([ended, late]));
  } catch (error) {
    if (ended.aborted) throw error;
    if (late.aborted) return `${api.url} has not answered for ${patienceMs / 1000} s`;
    if (error instanceof UnreachableError) return error.message;
    if (error instanceof ApiError && (error.status >= 500 || error.status === 429)) return error.message;
    throw error;
  }
}
