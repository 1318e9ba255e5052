/** Process entry of what the runtime runs itself: the command that the command line names. `bulkhead` (src/cli) loads it for these. */
import { readFileSync } from "node:fs";
import { type Command, readCommand, UsageError } from "./command.ts";
import { codeRoot } from "./threads/code.ts";

try {
  const exitCode = await run(readCommand(process.argv.slice(2)));
  if (exitCode !== undefined) process.exitCode = exitCode;
} catch (error) {
  process.stderr.write(`bulkhead: ${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = error instanceof UsageError ? 2 : 1;
}

/** Returns the exit code; undefined: the runtime goes on until a signal ends it. */
async function run(command: Command): Promise<number | undefined> {
  switch (command.name) {
    case "start": {
      Object.assign(process.env, command.variables);
      const { start } = await import("./start.ts");
      await start(version(), command.all);
      return undefined;
    }
    case "test": {
      const { flowTestProcess } = await import("./flow-test/flow-test-command.ts");
      return flowTestProcess(command.args);
    }
    case "restore": {
      const { restoreCommand } = await import("./backup/restore-command.ts");
      return restoreCommand(command, print, (line) => process.stderr.write(`bulkhead restore: ${line}\n`));
    }
    case "audit": {
      const { auditCommand } = await import("./audit/verify-audit.ts");
      return auditCommand(command.args, process.env, print);
    }
    case "help":
      print(command.text);
      return 0;
  }
}

function print(text: string): void {
  process.stdout.write(`${text}\n`);
}

function version(): string {
  const text = readFileSync(new URL("package.json", codeRoot), "utf8");
  return (JSON.parse(text) as { version: string }).version;
}
