/** The commands that the runtime's own code runs (first-word.ts): here they stand in help, completion and suggestions, and run --dev begins. */
import type { Command } from "commander";
import type { DevOptions } from "../dev.ts";
import type { runtimeWords } from "../first-word.ts";
import { type AddCommand, addCommand, type CommandText, type Context } from "../tree.ts";

const texts: Readonly<Record<(typeof runtimeWords)[number], CommandText>> = {
  run: {
    summary: "starts the runtime (the default); SIGTERM or Ctrl-C ends it",
    examples: ["bulkhead run --port 8081 --routes routes", "PORT=8081 bulkhead run", "bulkhead run --dev routes"],
  },
  start: { summary: "the same as run", examples: ["PORT=8081 bulkhead start"] },
  restore: {
    summary: "makes directories of a backup, which GET /_api/backup has made",
    examples: ["bulkhead restore backup.tar --to restored"],
  },
  test: { summary: "runs the tests of flows; no server is needed", examples: ["bulkhead test routes/tests"] },
  audit: { summary: "checks that the audit log is whole", examples: ["bulkhead audit verify data/audit"] },
};

const usages = {
  run: "run [folder]",
  start: "start [folder]",
  restore: "restore [archive]",
  test: "test [files...]",
  audit: "audit [words...]",
} as const;

export const addRuntimeCommands: AddCommand = (parent, context) => {
  for (const [word, text] of Object.entries(texts)) {
    const command = addCommand(parent, usages[word as keyof typeof usages], text);
    if (word === "run" || word === "start") withDev(command, context);
  }
};

/** Only a line with --dev comes here. */
function withDev(command: Command, { terminal, ending }: Context): void {
  command
    .option("--dev", "serves a folder while its files are edited: shows deployments, diagnostics and the log")
    .option("--port <number>", "in place of the variable PORT; 0 is any that is free")
    .option("--host <address>", "in place of HOST")
    .option("--routes <directory>", "in place of ROUTES_DIR")
    .option("--data <directory>", "in place of DATA_DIR")
    .option("--watch", "deploys files that are saved, as --dev does in any case")
    .option("--start", "timers and sources of a directory that was restored from a backup begin, too")
    .action(async (folder: string | undefined, options: DevOptions) => {
      const { runDev } = await import("../dev.ts");
      ending.code = await runDev(folder, options, terminal);
    });
}
