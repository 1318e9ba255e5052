/** The commands that the runtime's own code runs (first-word.ts): here they stand in help, completion and suggestions, and run --dev begins. */
import type { Command } from "commander";
import type { DevOptions } from "../dev.ts";
import type { runtimeWords } from "../first-word.ts";
import { type AddCommand, addCommand, type CommandText, type Context } from "../tree.ts";

const texts: Readonly<Record<(typeof runtimeWords)[number], CommandText>> = {
  run: {
    summary: "starts the runtime (the default); SIGTERM, Ctrl-C or the end of its terminal ends it",
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
  audit: "audit [verify] [directory] [hash]",
} as const;

type Options = readonly (readonly [flags: string, description: string])[];

const startOptions: Options = [
  ["--dev", "serves a folder while its files are edited: shows deployments, diagnostics and the log"],
  ["--port <number>", "in place of the variable PORT; 0 is any that is free"],
  ["--host <address>", "in place of HOST"],
  ["--routes <directory>", "in place of ROUTES_DIR"],
  ["--data <directory>", "in place of DATA_DIR"],
  ["--watch", "deploys files that are saved, as --dev does in any case"],
  ["--start", "timers and sources of a directory that was restored from a backup begin, too"],
];

/** Those of the help that the runtime's own code prints; completion offers them. */
const options: Readonly<Record<keyof typeof usages, Options>> = {
  run: startOptions,
  start: startOptions,
  restore: [
    ["--to <directory>", "an empty directory, or one that is not there"],
    ["--start", "timers and sources begin with the first start"],
  ],
  test: [
    ["--filter <text>", "only tests whose names, or whose flow's id, hold the text"],
    ["--routes <directory>", "the flows"],
    ["--egress-allow <list>", "what flows may call, as EGRESS_ALLOW has it; else nothing"],
    ["--junit <file>", "writes the results as JUnit XML, too"],
    ["--update", "writes what was got into the 'expect' of tests"],
    ["--watch", "runs tests again when their files, flows or documents change"],
  ],
  audit: [],
};

export const addRuntimeCommands: AddCommand = (parent, context) => {
  for (const [word, text] of Object.entries(texts)) {
    const name = word as keyof typeof usages;
    const command = addCommand(parent, usages[name], text);
    for (const [flags, description] of options[name]) command.option(flags, description);
    if (name === "run" || name === "start") serveDev(command, context);
    for (const argument of command.registeredArguments)
      if (argument.name() === "verify") argument.argChoices = [argument.name()];
  }
};

/** Only a line with --dev comes here. */
function serveDev(command: Command, { terminal, ending }: Context): void {
  command.action(async (folder: string | undefined, options: DevOptions) => {
    const { runDev } = await import("../dev.ts");
    ending.code = await runDev(folder, options, terminal);
  });
}
