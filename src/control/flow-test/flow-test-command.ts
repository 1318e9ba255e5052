/** `bulkhead test`: tests of flows from files. */
import { Unreachable } from "./api-client.ts";
import { readCommandLine, usage } from "./command-line.ts";
import type { Threads } from "./embedded-app.ts";
import { FlowTests } from "./flow-tests.ts";
import type { Terminal } from "./terminal.ts";
import { BadFile } from "./text-files.ts";

/** Returns the exit code: 0 all tests passed, 1 one failed, 2 a file or an argument cannot be used. */
export async function flowTestCommand(
  args: readonly string[],
  terminal: Terminal,
  threads: Threads = {},
): Promise<number> {
  try {
    const line = readCommandLine(args, terminal.env);
    if (!line.help) return await new FlowTests(line, terminal, threads).run();
    terminal.say(usage);
    return 0;
  } catch (error) {
    if (!(error instanceof BadFile || error instanceof Unreachable)) throw error;
    terminal.complain(error.message);
    return 2;
  }
}
