/** The designer as a process: configuration, the server, signals. */
import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { hashPassword } from "./access/passwords.ts";
import { ConfigError, readConfig } from "./config.ts";
import { startDesigner } from "./designer.ts";
import { limits } from "./limits.ts";
import { standardLog } from "./log.ts";
import { buildPage } from "./page-build.ts";
import { codeOf, messageOf } from "./refused.ts";
import { variablesHelp } from "./variables.ts";

const usage = `npm run designer [-- command]

  (none)          starts the designer; SIGTERM or Ctrl-C ends it
  hash-password   reads a password from standard input and prints its hash for the file of users
  --help, -h      this text

Environment variables configure it:

${variablesHelp()}`;

const root = resolve(import.meta.dirname, "..");
const [command, ...more] = process.argv.slice(2);

try {
  if (command === undefined) await start();
  else if (command === "hash-password" && more.length === 0) await printHash();
  else if (command === "--help" || command === "-h") console.log(usage);
  else fail(`there is no command '${[command, ...more].join(" ")}': see npm run designer -- --help`, 2);
} catch (error) {
  fail(error instanceof ConfigError ? error.message : `the designer cannot start: ${startProblem(error)}`, 1);
}

async function start(): Promise<void> {
  const config = readConfig(process.env);
  if (await buildPage(root)) standardLog.line("the page was built");
  const { version } = JSON.parse(readFileSync(resolve(root, "package.json"), "utf8")) as { readonly version: string };
  for (const warning of config.warnings) standardLog.line(warning);
  const designer = await startDesigner({ config, page: resolve(root, "dist"), version, log: standardLog });
  console.log(`designer: ${designer.url}`);
  console.log(`workspace: ${config.workspace}`);
  for (const { name, url } of config.targets) console.log(`target ${name}: ${url}`);
  let ending: Promise<void> | undefined;
  for (const signal of ["SIGINT", "SIGTERM"] as const) process.on(signal, () => (ending ??= designer.close()));
}

async function printHash(): Promise<void> {
  if (process.stdin.isTTY) console.error("Type the password and Enter:");
  const parts: Buffer[] = [];
  for await (const part of process.stdin) {
    parts.push(part as Buffer);
    if (Buffer.concat(parts).includes("\n")) break;
  }
  const [password = ""] = Buffer.concat(parts).toString().split(/\r?\n/);
  if (password.length < 8) return fail("a password has at least 8 characters", 2);
  if (Buffer.byteLength(password) > limits.passwordBytes) return fail("a password has at most 1024 bytes", 2);
  console.log(await hashPassword(password));
  process.stdin.destroy();
}

function startProblem(error: unknown): string {
  const code = codeOf(error);
  if (code === "EADDRINUSE") return "its port is taken: give another one in DESIGNER_PORT (0: any free one)";
  if (code === "EACCES" || code === "EROFS") return `${messageOf(error)}: WORKSPACE must be a folder that it may write`;
  return messageOf(error);
}

function fail(message: string, status: number): void {
  console.error(message);
  process.exitCode = status;
}
