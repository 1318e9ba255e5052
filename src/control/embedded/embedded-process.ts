/** The process that has the databases of one group open, as control sees it: starts it, limits it, and ends it. */
import { type ChildProcess, spawn } from "node:child_process";
import { existsSync } from "node:fs";
import type { Socket } from "node:net";
import { fileURLToPath } from "node:url";
import type { Limits } from "../../shared/limits.ts";
import { codeRoot } from "../threads/code.ts";
import { HostOutput } from "../threads/hosts/host-end.ts";
import { HostSocket } from "../threads/hosts/host-socket.ts";
import { residentBytes } from "../threads/hosts/proc.ts";
import { embeddedFlags, isSource } from "../threads/local/thread-flags.ts";
import { within } from "../threads/waiting.ts";
import type { ProcessMessage, ToProcess } from "./messages.ts";

export interface EmbeddedProcessOptions {
  readonly entry: URL;
  /** The group's databases. It exists. */
  readonly folder: string;
  readonly limits: Pick<Limits, "embeddedMemoryBytes" | "threadBootMs">;
  /** Called with each line that it prints. */
  printed(line: string): void;
  message(message: ProcessMessage): void;
  /** Called with an answer. `content` is valid during the call only. */
  answer(id: number, content: Buffer): void;
  /** Called once, when all that it has sent was read. `how`: for the log; undefined: it was asked to end. */
  ended(how: string | undefined): void;
}

const watchMs = 100;
const endMs = 1000;
const KiB = 1024;
/** What Node needs itself: of resident memory, and of what the system counts as data. */
const ofNode = 64 * 1024 * KiB;
/** What V8 reserves for code when it compiles. */
const ofCompiler = 1280 * 1024 * KiB;
const shell = "/bin/sh";

export class EmbeddedProcess {
  readonly pid: number;
  readonly #options: EmbeddedProcessOptions;
  readonly #child: ChildProcess;
  readonly #socket: HostSocket;
  readonly #output: HostOutput;
  readonly #watch: NodeJS.Timeout;
  readonly #late: NodeJS.Timeout;
  readonly #over = Promise.withResolvers<void>();
  #why: string | undefined;
  #asked = false;
  memoryBytes = 0;

  constructor(options: EmbeddedProcessOptions) {
    this.#options = options;
    const [command, ...rest] = commandOf(options);
    const { env } = embeddedFlags(options.entry, options.folder);
    this.#child = spawn(command as string, rest, {
      env,
      cwd: fileURLToPath(codeRoot),
      stdio: ["ignore", "pipe", "pipe", "pipe", "pipe"],
    });
    const { stdout, stderr, pid = 0, stdio } = this.#child;
    this.pid = pid;
    this.#output = new HostOutput([stdout, stderr], options.printed);
    const closed = Promise.withResolvers<void>();
    this.#socket = new HostSocket(stdio[3] as Socket, {
      frame: (id, content) => options.answer(id, content),
      message: (message) => this.#receive(message as ProcessMessage),
      drained() {},
      closed: (why) => {
        if (why !== undefined) this.kill(`it sent what cannot be read: ${why}`);
        closed.resolve();
      },
    });
    // Its other end is closed with the process.
    (stdio[4] as Socket).on("error", () => {});
    const exited = new Promise<string>((resolve) => {
      this.#child.once("error", (error) => resolve(`could not be started: ${error.message}`));
      this.#child.once("exit", (code, signal) => resolve(`ended with ${signal ?? `exit code ${code}`}`));
    });
    void Promise.all([exited, closed.promise]).then(([how]) => this.#end(how));
    this.#watch = setInterval(() => this.#look(), watchMs).unref();
    const { threadBootMs } = options.limits;
    this.#late = setTimeout(() => this.kill(`it did not start within ${threadBootMs} ms`), threadBootMs).unref();
  }

  send(...message: ToProcess): void {
    this.#socket.send(message);
  }

  post(id: number, content: Uint8Array<ArrayBuffer>): void {
    this.#socket.post(id, content);
  }

  /** Ends it at once; `ended` is called with the reason. */
  kill(why: string): void {
    this.#why ??= why;
    this.#child.kill("SIGKILL");
  }

  /** Ends it when it has nothing to do. Resolves when it is gone. */
  async end(): Promise<void> {
    this.#asked = true;
    this.#socket.close();
    if (!(await within(endMs, this.#over.promise))) this.#child.kill("SIGKILL");
    await within(endMs, this.#over.promise);
  }

  #receive(message: ProcessMessage): void {
    if (message[0] === "ready") clearTimeout(this.#late);
    else this.#options.message(message);
  }

  #look(): void {
    this.memoryBytes = residentBytes(this.pid) ?? this.memoryBytes;
    const { embeddedMemoryBytes } = this.#options.limits;
    if (this.memoryBytes <= embeddedMemoryBytes + ofNode) return;
    this.kill(`it used ${this.memoryBytes} bytes of memory, more than it may have (limit embeddedMemoryBytes)`);
  }

  #end(how: string): void {
    clearInterval(this.#watch);
    clearTimeout(this.#late);
    (this.#child.stdio[4] as Socket).destroy();
    const { last } = this.#output;
    const reason = this.#why === undefined ? "" : `: ${this.#why}`;
    this.#options.ended(
      this.#asked ? undefined : `process ${this.pid} ${how}${reason}${last === "" ? "" : `; it printed: ${last}`}`,
    );
    this.#over.resolve();
  }
}

/** By way of the shell, which sets the system's limit: Node cannot. */
function commandOf({ entry, folder, limits }: EmbeddedProcessOptions): readonly string[] {
  const { execArgv } = embeddedFlags(entry, folder);
  const command = [process.execPath, ...execArgv, fileURLToPath(entry), folder];
  if (!existsSync(shell)) return command;
  const most = limits.embeddedMemoryBytes + ofNode + (isSource(entry) ? ofCompiler : 0);
  return [shell, "-c", 'ulimit -d "$0" 2>/dev/null; exec "$@"', String(Math.ceil(most / KiB)), ...command];
}
