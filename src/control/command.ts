/** Parses the command lines that the runtime runs itself: its start, and work on its directories (src/cli has all others). */
import { parseArgs } from "node:util";
import { didYouMean } from "../shared/suggest.ts";
import { variablesHelp } from "./variables.ts";

export type Command =
  /** `all`: timers and sources of restored data begin, too; `variables`: those that options stand for. */
  | { readonly name: "start"; readonly all: boolean; readonly variables: Readonly<Record<string, string>> }
  | { readonly name: "help"; readonly text: string }
  /** `args`: the command parses them itself. */
  | { readonly name: "test"; readonly args: readonly string[] }
  /** `args`: the directory and the hash, as far as they are given. */
  | { readonly name: "audit"; readonly args: readonly string[] }
  | { readonly name: "restore"; readonly archive: string; readonly directory: string; readonly start: boolean };

/** The command line is not valid; the process ends with exit code 2. */
export class UsageError extends Error {}

const startUsage = `bulkhead run [options]     (the default; start is the same)
bulkhead run --dev [FOLDER] [options]

Starts the runtime; SIGTERM, Ctrl-C or the end of its terminal ends it, when the runs under way are over.

  --port NUMBER       in place of the variable PORT; 0 is any that is free
  --host ADDRESS      in place of HOST
  --routes DIRECTORY  in place of ROUTES_DIR
  --data DIRECTORY    in place of DATA_DIR
  --watch             in place of ROUTES_WATCH=true: files of flows that are saved there are deployed
  --start             timers and sources of a directory that was restored from a backup begin, too, now and from now on
  --dev               for work on flows: serves FOLDER (else ROUTES_DIR) with --watch, deploys its companion files and
                      documents/ (mappings, connections, policies) as well when they are saved, shows each deployment, each
                      problem with its line, and the log as lines to read. Without SERVICE_DEPLOY_TOKEN and BULKHEAD_TOKEN it makes a token for this
                      run and prints it; without DATA_DIR data are in .bulkhead/data beside the flows (of a folder 'routes'
                      beside it), which git ignores

Environment variables configure it:

${variablesHelp()}
  LIMIT_<NAME>
      A limit, such as LIMIT_RUN_CPU_MS=5000; LIMIT_<NAME>_CEILING is the most that a flow may raise it to. GET /_api/limits
      lists them.

docs/operating.md says more of each. Ends with 0 when it was asked to end, 1 when it cannot start.`;

const restoreUsage = `bulkhead restore ARCHIVE --to DIRECTORY [--start]

Verifies an archive of GET /_api/backup, and makes DIRECTORY/routes (ROUTES_DIR) and DIRECTORY/data (DATA_DIR) of it.

  --to DIRECTORY  an empty directory, or one that is not there
  --start         timers and sources begin with the first start; else they wait for bulkhead start --start,
                  since the runtime that was backed up may still run

Ends with 0 when everything is restored and on the disk, 1 when nothing is, 2 when an argument cannot be used.`;

const auditUsage = `bulkhead audit verify [directory] [hash]     (default: DATA_DIR/audit)

Checks every line of the audit log and the chain of their hashes, also while the runtime runs. With the hash that an earlier
check has printed it also checks that this line is still there.
Ends with 0 when the log is whole, 1 when it is broken, 2 when it or an argument cannot be used.`;

const options = {
  help: { type: "boolean", short: "h" },
  start: { type: "boolean" },
  watch: { type: "boolean" },
  port: { type: "string" },
  host: { type: "string" },
  routes: { type: "string" },
  data: { type: "string" },
} as const;

/** The variables that options of `run` stand for. */
const standsFor: Readonly<Record<string, string>> = {
  port: "PORT",
  host: "HOST",
  routes: "ROUTES_DIR",
  data: "DATA_DIR",
};

/** Throws UsageError. */
export function readCommand(args: readonly string[]): Command {
  const [word, ...others] = args;
  if (word === "test") return { name: "test", args: others };
  if (word === "audit") return readAudit(others);
  if (word === "restore") return readRestore(others);
  return readStart(word === "run" || word === "start" ? others : args);
}

function readStart(args: readonly string[]): Command {
  const { tokens, positionals } = parseArgs({
    args: [...args],
    options,
    strict: false,
    allowPositionals: true,
    tokens: true,
  });
  const asked = new Set<string>();
  const variables: Record<string, string> = {};
  for (const token of tokens) {
    if (token.kind !== "option") continue;
    refuseUnknown(token.rawName, token.name);
    const variable = standsFor[token.name];
    if (variable !== undefined) variables[variable] = givenValue(token.rawName, token.value);
    else if (token.name !== "help" && token.value !== undefined)
      throw new UsageError(`${token.rawName} takes no value: leave it out, or write ${token.rawName} alone`);
    asked.add(token.name);
  }
  const [more] = positionals;
  if (more !== undefined)
    throw new UsageError(`run takes no further words, and '${more}' is one: see bulkhead run --help`);
  if (asked.has("help")) return { name: "help", text: startUsage };
  if (asked.has("watch")) variables["ROUTES_WATCH"] = "true";
  return { name: "start", all: asked.has("start"), variables };
}

function givenValue(option: string, value: string | undefined): string {
  if (value !== undefined && value.trim() !== "") return value;
  throw new UsageError(`${option} takes a value: see bulkhead run --help`);
}

/** Parses the arguments of `audit`, of which `verify` may be left out. */
function readAudit(args: readonly string[]): Command {
  const option = args.find((arg) => arg.startsWith("-"));
  if (option === "--help" || option === "-h") return { name: "help", text: auditUsage };
  if (option !== undefined) throw new UsageError(`audit has no option '${option}': see bulkhead audit --help`);
  const words = args[0] === "verify" ? args.slice(1) : args;
  if (words.length <= 2) return { name: "audit", args: words };
  throw new UsageError(
    `audit verify takes a directory and a hash, and '${words[2]}' is more: see bulkhead audit --help`,
  );
}

function readRestore(args: readonly string[]): Command {
  const see = "see bulkhead restore --help";
  const known = { to: { type: "string" }, start: { type: "boolean" }, help: { type: "boolean", short: "h" } } as const;
  let parsed: ReturnType<typeof parseArgs<{ options: typeof known; allowPositionals: true }>>;
  try {
    parsed = parseArgs({ args: [...args], options: known, allowPositionals: true });
  } catch (error) {
    throw new UsageError(`restore: ${error instanceof Error ? error.message : String(error)}: ${see}`);
  }
  const { values, positionals } = parsed;
  if (values.help === true) return { name: "help", text: restoreUsage };
  const [archive = "", more] = positionals;
  if (archive === "") throw new UsageError(`restore takes the archive of a backup: ${see}`);
  if (more !== undefined) throw new UsageError(`restore takes one archive, and '${more}' is more: ${see}`);
  const directory = values.to ?? "";
  if (directory === "") throw new UsageError(`restore takes the directory to make, as --to DIRECTORY: ${see}`);
  return { name: "restore", archive, directory, start: values.start === true };
}

/** `rawName` is the option as it was written, `name` without its dashes. */
function refuseUnknown(rawName: string, name: string): void {
  if (Object.hasOwn(options, name)) return;
  const hint = didYouMean(name, Object.keys(options)).replace("'", "'--");
  const instead = hint || ": environment variables configure the runtime, such as PORT=8081 bulkhead run";
  throw new UsageError(`there is no option '${rawName}'${instead}; see bulkhead run --help`);
}
