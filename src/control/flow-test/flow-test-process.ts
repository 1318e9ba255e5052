/** `bulkhead test` in a process of its own: its streams and signals. */
import { flowTestCommand } from "./flow-test-command.ts";
import type { Terminal } from "./terminal.ts";

/** npm forwards the SIGINT that the terminal has sent already: two within this time are one. */
const sameSignalMs = 500;

/** Runs the command and returns its exit code. */
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
      // Nobody reads the output any more, as with `head`: ends with the exit code of SIGPIPE.
      stdout.once("error", () => end(141)).on("error", () => undefined);
    },
  };
}
