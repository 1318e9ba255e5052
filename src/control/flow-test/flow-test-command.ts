/** `bulkhead test`: tests of flows from files, as a function and in a process of its own. */
import { UnreachableError } from "../../client/index.ts";
import { readCommandLine, usage } from "./command-line.ts";
import type { Threads } from "./embedded-app.ts";
import { FlowTests, type Terminal } from "./flow-tests.ts";
import { BadFile } from "./text-files.ts";

/**
 * Runs the command. Returns its exit code: 0 all tests passed, 1 one failed, 2 a file or an argument cannot be used.
 */
export async function flowTestCommand(
  args: readonly string[],
  terminal: Terminal,
  threads: Threads = {},
): Promise<number> {
  try {
    const line = readCommandLine(args, terminal.env);
    if (line.remote !== undefined && !line.help)
      terminal.complain(
        `BULKHEAD_URL is set: flows are tested as they are deployed at ${line.remote.url}, where steps without a mock do what they do`,
      );
    if (!line.help) return await new FlowTests(line, terminal, threads).run();
    terminal.say(usage);
    return 0;
  } catch (error) {
    if (!(error instanceof BadFile || error instanceof UnreachableError)) throw error;
    terminal.complain(error.message);
    return 2;
  }
}

/** npm forwards the SIGINT that the terminal has sent already: two within this time are one. */
const sameSignalMs = 500;

/** Runs the command with the streams and signals of its own process, and returns its exit code. */
export function flowTestProcess(args: readonly string[]): Promise<number> {
  return flowTestCommand(args, processTerminal());
}

function processTerminal(): Terminal {
  const { stdout, stderr, env } = process;
  return {
    env,
    colours: stdout.isTTY === true && (env["NO_COLOR"] ?? "") === "",
    say: (line) => stdout.write(`${line}\n`),
    complain: (line) => stderr.write(`bulkhead test: ${line}\n`),
    onStop(stop) {
      let since: number | undefined;
      const end = (code: number): void => {
        if (since !== undefined && performance.now() - since < sameSignalMs) return;
        if (since !== undefined) process.exit(code);
        since = performance.now();
        void stop().finally(() => process.exit(code));
      };
      process.on("SIGINT", () => end(130));
      process.on("SIGTERM", () => end(143));
      process.on("SIGHUP", () => end(129));
      // The reader of the output has ended, as with `head`: end with the exit code of SIGPIPE.
      stdout.once("error", () => end(141)).on("error", () => undefined);
    },
  };
}
