/** The designer as a process: configuration, the server, signals. */
import { packageVersion } from "../../src/cli/package-root.ts";
import { endWithParent } from "../../src/cli/parent.ts";
import { didYouMean } from "../../src/shared/suggest.ts";
import { hashPassword } from "./access/passwords.ts";
import { ConfigError, readConfig } from "./config.ts";
import { startDesigner } from "./designer.ts";
import { limits } from "./limits.ts";
import { type Log, standardLog } from "./log.ts";
import { codeOf, messageOf } from "./refused.ts";
import { hashCommand, usage } from "./usage.ts";

/** Resolves with the directory of the built page. */
type Page = (log: Log) => string | Promise<string>;

/** Does what the command line of the process says; sets its exit code: 1 the designer cannot start, 2 the command line cannot be used. */
export async function runProcess(page: Page): Promise<void> {
  endWithParent();
  const [command, ...more] = process.argv.slice(2);
  try {
    if (command === undefined) await start(page);
    else if (command === "--help" || command === "-h") console.log(usage);
    else if (command === hashCommand && more.length === 0) await printHash();
    else
      fail(
        `there is no command '${[command, ...more].join(" ")}'${didYouMean(command, [hashCommand])}: see bulkhead designer --help`,
        2,
      );
  } catch (error) {
    fail(error instanceof ConfigError ? error.message : `the designer cannot start: ${startProblem(error)}`, 1);
  }
}

async function start(page: Page): Promise<void> {
  const config = readConfig(process.env);
  const directory = await page(standardLog);
  for (const warning of config.warnings) standardLog.line(warning);
  const designer = await startDesigner({ config, page: directory, version: packageVersion(), log: standardLog });
  console.log(`designer: ${designer.url}`);
  console.log(`workspace: ${config.workspace}`);
  for (const { name, url } of config.targets) console.log(`target ${name}: ${url}`);
  let ending: Promise<void> | undefined;
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const)
    process.on(signal, () => (ending ??= designer.close()));
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
