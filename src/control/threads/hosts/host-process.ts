/** A host process as control sees it: starts, watches and ends the process, and connects control with its threads. */
import { type ChildProcess, spawn } from "node:child_process";
import type { Socket } from "node:net";
import { fileURLToPath } from "node:url";
import type { Limits } from "../../../shared/limits.ts";
import type { Packed } from "../../../shared/packed.ts";
import type { BootedThread } from "../booted-thread.ts";
import { codeRoot } from "../code.ts";
import { hostFlags } from "../local/thread-flags.ts";
import { within } from "../waiting.ts";
import { describeEnd, HostEnded, HostOutput, suspects } from "./host-end.ts";
import type { HostMessage } from "./host-messages.ts";
import { HostSocket } from "./host-socket.ts";
import { residentBytes } from "./proc.ts";
import type { HostLine } from "./remote-line.ts";
import { SessionMemories } from "./remote-line.ts";
import { HostPools } from "./remote-pool.ts";
import { RemoteThread } from "./remote-thread.ts";

export interface HostProcessOptions {
  readonly entry: URL;
  readonly limits: Limits;
  /** An Int32Array of one word, bits of `Interest`: the events that subscribers need. */
  readonly interest: SharedArrayBuffer;
  /** Called with each line that it prints. */
  readonly printed: (line: string) => void;
  /** Called when the process is given up: it gets no new threads, but may still have some. `why` is for the log. */
  readonly left: (why: string) => void;
  /** Called when the process has ended. `how` is for the log; undefined: control has ended it. */
  readonly ended: (how: string | undefined) => void;
}

const watchMs = 100;
/** How long a process that was given up may finish the runs of its other threads. */
const leaveMs = 2000;
/** A process that has not ended within this time after its line was closed is killed. */
const endMs = 1000;
/** How many looks may pass before an answer: one, or two when the answer crosses the next look. */
const silentLooks = 2;
/** How long the last lines of a process that has ended may take. */
const lastLinesMs = 200;

const nobody: ReadonlySet<number> = new Set();

export class HostProcess implements HostLine {
  readonly pid: number;
  readonly startedAt = performance.now();
  over = false;
  memoryBytes = 0;
  readonly pools = new HostPools((message) => this.send(message));
  readonly #options: HostProcessOptions;
  readonly #child: ChildProcess;
  readonly #socket: HostSocket;
  readonly #output: HostOutput;
  readonly #memories: SessionMemories;
  readonly #threads = new Map<number, RemoteThread>();
  readonly #ready = Promise.withResolvers<void>();
  #isReady = false;
  readonly #exited = Promise.withResolvers<void>();
  readonly #interest: Int32Array;
  #sentInterest = 0;
  #watch: NodeJS.Timeout;
  /** How many looks have passed since a ping without an answer. */
  #silentLooks = 0;
  #asked = false;
  #leaving = false;
  #suspects: ReadonlySet<number> | undefined;
  /** Why it was given up or killed; undefined: neither has happened. */
  #why: string | undefined;

  constructor(options: HostProcessOptions) {
    this.#options = options;
    this.#interest = new Int32Array(options.interest);
    const entry = fileURLToPath(options.entry);
    const { env, execArgv } = hostFlags(options.entry);
    this.#child = spawn(process.execPath, [...execArgv, entry], {
      env,
      // Not the runtime's working directory, which may have flows and `.env` files, and no directory that threads may list.
      cwd: fileURLToPath(codeRoot),
      stdio: ["ignore", "pipe", "pipe", "pipe"],
    });
    const { stdout, stderr, pid = 0 } = this.#child;
    this.pid = pid;
    this.#output = new HostOutput([stdout, stderr], options.printed);
    this.#socket = new HostSocket(this.#child.stdio[3] as Socket, {
      frame: (thread, bytes) => this.#threads.get(thread)?.received(bytes),
      message: (message) => this.#receive(message),
      drained: () => {
        for (const { port } of this.#threads.values()) port.drained();
      },
      closed: (why) => this.#closed(why),
    });
    this.#memories = new SessionMemories((message) => this.send(message));
    this.#child.once("error", (error) => this.#exit(`its process could not be started: ${error.message}`));
    this.#child.once("exit", (code, signal) => void this.#exitedWith(code, signal));
    this.#watch = setInterval(() => this.#look(), watchMs).unref();
    const late = setTimeout(() => this.kill("it did not start in time"), options.limits.threadBootMs).unref();
    const settled = (): void => clearTimeout(late);
    this.#ready.promise.then(settled, settled);
  }

  get threads(): number {
    return this.#threads.size;
  }

  get choked(): boolean {
    return this.#socket.choked;
  }

  get silent(): boolean {
    return this.#silentLooks > silentLooks;
  }

  /** Rejects with HostEnded when the process ends before. */
  async boot(pool: number): Promise<BootedThread> {
    await this.#ready.promise;
    if (this.over || this.#leaving) throw new HostEnded(this.#why ?? "the process has ended", nobody);
    return this.pools.boot(pool);
  }

  post(thread: number, packed: Packed): void {
    this.#sendInterest();
    this.#socket.post(thread, packed);
  }

  send(message: HostMessage): void {
    this.#socket.send(message);
  }

  share(thread: number, memory: SharedArrayBuffer): number {
    return this.#memories.share(thread, memory);
  }

  forget(thread: number): void {
    this.#threads.delete(thread);
    if (this.#leaving) this.#killWhenLeft();
  }

  leave(why: string): void {
    if (this.#leaving || this.over) return;
    this.#leaving = true;
    this.#why = why;
    this.#options.left(why);
    const error = new HostEnded(why, nobody);
    this.pools.rejectBoots(error);
    const threads = [...this.#threads.values()].filter(({ ending }) => !ending);
    for (const thread of threads) if (thread.port.listener === undefined) thread.lost(error);
    // One turn later: flows that have to leave look for another thread, and must not get one that is lost.
    setImmediate(() => {
      for (const { port } of threads) port.listener?.leave();
      this.#killWhenLeft();
    });
    setTimeout(() => this.kill(why), leaveMs).unref();
  }

  /** Kills the process when only threads are left in it that are being ended: these may never end by themselves. */
  #killWhenLeft(): void {
    if ([...this.#threads.values()].every(({ ending }) => ending)) this.kill(this.#why ?? "it was given up");
  }

  /** Ends it at once, with all its threads. */
  kill(why: string): void {
    this.#why ??= why;
    this.#child.kill("SIGKILL");
  }

  /** Ends the process by closing its line. Resolves when its threads are gone. */
  async end(): Promise<void> {
    this.#asked = true;
    this.#lose("the runtime has ended its process", true);
    this.#socket.close();
    if (await within(endMs, this.#exited.promise)) return;
    this.#child.kill("SIGKILL");
    await within(endMs, this.#exited.promise);
  }

  #receive(message: HostMessage) {
    const [kind, number] = message;
    switch (kind) {
      case "ready":
        this.#isReady = true;
        return this.#ready.resolve();
      case "pong":
        this.#silentLooks = 0;
        return;
      case "counted":
        return this.#memories.counted(message);
      case "destroyed":
        return this.pools.destroyed(number);
      case "booted":
      case "notBooted":
        if (!this.pools.booted(message, (thread, systemId) => this.#makeThread(thread, systemId)) && !this.#leaving)
          throw new Error("a thread that nobody asked for");
        return;
      default:
        this.#threads.get(Number(number))?.receive(message);
    }
  }

  #makeThread(number: number, systemId: number): RemoteThread {
    const thread = new RemoteThread({ number, systemId: Math.max(0, systemId), line: this });
    this.#threads.set(number, thread);
    return thread;
  }

  /** Called when the line was closed: the process is of no use any more, so it is killed. */
  #closed(why: string | undefined): void {
    if (this.#asked || this.over) return;
    this.#judge();
    this.kill(why === undefined ? "its line was closed" : `it sent what cannot be read: ${why}`);
  }

  async #exitedWith(code: number | null, signal: NodeJS.Signals | null): Promise<void> {
    this.#judge();
    await within(lastLinesMs, new Promise((resolve) => this.#child.once("close", resolve)));
    const { pid, memoryBytes } = this;
    const why = this.#why === "its line was closed" ? undefined : this.#why;
    this.#exit(describeEnd({ pid, memoryBytes, how: signal ?? `exit code ${code}`, why, last: this.#output.last }));
  }

  /** Finds the suspects at the first sign of the end, only once: threads that fall silent later do so because the process ends. */
  #judge(): ReadonlySet<number> {
    this.#suspects ??= suspects([...this.#threads.values()]);
    return this.#suspects;
  }

  #exit(how: string): void {
    this.#lose(how, false);
    this.#socket.close();
    this.#exited.resolve();
    this.#options.ended(this.#asked ? undefined : how);
  }

  /** Reports the end of all its threads, first of those that no flow has adopted, so that no flow adopts one of them as a replacement. */
  #lose(how: string, asked: boolean): void {
    if (this.over) return;
    this.over = true;
    clearInterval(this.#watch);
    this.#memories.close();
    const threads = [...this.#threads.values()];
    const error = new HostEnded(how, asked || this.#leaving ? nobody : this.#judge());
    this.#ready.reject(error);
    this.pools.lose(error);
    const { blank = [], taken = [] } = Object.groupBy(threads, ({ port }) => (port.listener ? "taken" : "blank"));
    for (const thread of [...blank, ...taken]) thread.lost(error);
  }

  #look() {
    this.#sendInterest();
    for (const thread of this.#threads.values()) thread.look();
    const { hostSilentMs, hostMemoryBytes } = this.#options.limits;
    // Looks are counted, not time: a main loop that was late has not waited for an answer. The boot has a separate limit.
    if (this.#isReady) this.#silentLooks += 1;
    if (this.#silentLooks * watchMs > hostSilentMs) return this.kill(`it did not answer for ${hostSilentMs} ms`);
    if (this.#isReady && this.#silentLooks === 1) this.send(["ping"]);
    this.memoryBytes = residentBytes(this.pid) ?? this.memoryBytes;
    if (this.memoryBytes > hostMemoryBytes) {
      this.kill(`it used ${this.memoryBytes} bytes of memory, and may use ${hostMemoryBytes} (hostMemoryBytes)`);
    }
  }

  #sendInterest(): void {
    const interest = this.#interest[0] as number;
    if (interest === this.#sentInterest) return;
    this.#sentInterest = interest;
    this.send(["interest", interest]);
  }
}
