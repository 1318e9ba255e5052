/** The whole command line: its tree, and one call of it with an exit code. */
import { type Command, CommanderError } from "commander";
import { addCommands } from "./commands/index.ts";
import { endingOf } from "./errors.ts";
import { packageVersion } from "./package-root.ts";
import { plainText, processTerminal, type Terminal } from "./terminal.ts";
import { type Context, root } from "./tree.ts";

/** Runs a command with the streams of the process, and sets its exit code. */
export async function runProcess(args: readonly string[]): Promise<void> {
  const code = await runProgram(args, processTerminal());
  if (code !== 0) process.exitCode = code;
}

/** Returns the exit code: 0 done, 1 failed, 2 the command line cannot be used. */
export async function runProgram(args: readonly string[], given: Terminal): Promise<number> {
  // Messages quote what servers and files have; none of it may steer the terminal.
  const terminal: Terminal = { ...given, complain: (text) => given.complain(plainText(text)) };
  const ending = { code: 0 };
  const program = tree({
    terminal,
    ending,
    async connect(options, open) {
      const { connectTo, misspeltVariables } = await import("./target.ts");
      for (const warning of misspeltVariables(terminal.env)) terminal.complain(`bulkhead: ${warning}`);
      return connectTo(options, terminal.env, open);
    },
  });
  try {
    await program.parseAsync([...args], { from: "user" });
    return ending.code;
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode;
    const failure = endingOf(error);
    if (failure === undefined) throw error;
    terminal.complain(`bulkhead: ${failure.message}`);
    return failure.code;
  }
}

/** Makes the tree of commands. */
export function tree(context: Context): Command {
  const program = root(context.terminal);
  program
    .description("The command line of a Bulkhead runtime: starts it, deploys flows to it, and shows what they do.")
    .version(`bulkhead ${packageVersion()}`, "-v, --version", "prints the version")
    .helpOption("-h, --help", "prints the help of a command")
    .helpCommand("help [command]", "prints the help of a command");
  program.addHelpText("after", afterword);
  addCommands(program, context);
  return program;
}

const afterword = `
Without a command bulkhead starts the runtime, which environment variables configure (bulkhead help run names them).
The other commands call the runtime that --url, --profile, BULKHEAD_URL or the default profile names, else
http://127.0.0.1:8080, with the token of BULKHEAD_TOKEN or of the profile.
They end with 0 when they are done, 1 when they have failed, 2 when the command line cannot be used.`;
