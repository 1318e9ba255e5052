/** The commands that the runtime's own code runs (first-word.ts): here they only stand in help, completion and suggestions. */
import type { runtimeWords } from "../first-word.ts";
import { type AddCommand, addCommand, type CommandText } from "../tree.ts";

const texts: Readonly<Record<(typeof runtimeWords)[number], CommandText>> = {
  run: {
    summary: "starts the runtime (the default); SIGTERM or Ctrl-C ends it",
    examples: ["bulkhead run --port 8081 --routes routes", "PORT=8081 bulkhead run"],
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
  run: "run",
  start: "start",
  restore: "restore [archive]",
  test: "test [files...]",
  audit: "audit [words...]",
} as const;

export const addRuntimeCommands: AddCommand = (parent) => {
  for (const [word, text] of Object.entries(texts)) addCommand(parent, usages[word as keyof typeof usages], text);
};
