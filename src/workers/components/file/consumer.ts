/** Looks for files again and again, and begins a run for each (Camel: GenericFileConsumer, GenericFileProcessStrategySupport). */
import { mkdir, readFile, rm } from "node:fs/promises";
import { blankExchange } from "../../engine/blank-exchange.ts";
import type { ConsumerContext } from "../../engine/component.ts";
import { exceptionMessage, FlowException } from "../../engine/exception.ts";
import { Exchange, Message } from "../../engine/exchange.ts";
import { Headers } from "../../engine/headers.ts";
import type { Run } from "../../engine/run.ts";
import { FileArea, moveTo, statOf } from "./area.ts";
import { charsetOf, decode } from "./charset.ts";
import { fileHeaders } from "./headers.ts";
import { keepingNames } from "./kept-names.ts";
import type { FileOptions } from "./options.ts";
import { rootOf } from "./producer.ts";
import { type FoundFile, fileFilter, findFiles } from "./selection.ts";
import { sorted } from "./sort-by.ts";

type Name = (exchange: Exchange) => string;

/** Throws for options that cannot be read; nothing happens before the returned function is called. */
export function fileConsumer(options: FileOptions, context: ConsumerContext): () => void {
  const poller = new Poller(options, context);
  context.atHalt(() => poller.stop());
  return () => poller.start();
}

class Poller {
  readonly #options: FileOptions;
  readonly #context: ConsumerContext;
  readonly #wanted: (name: string) => boolean;
  readonly #charset: BufferEncoding;
  readonly #names: Readonly<Record<"fileName" | "move" | "moveFailed" | "preMove" | "doneFileName", Name | undefined>>;
  readonly #key: Name | undefined;
  readonly #sort: ReturnType<typeof sorted>;
  readonly #seen = keepingNames();
  /** With readLock=changed: size and time of each file at the last poll. */
  #before = new Map<string, string>();
  #timer: NodeJS.Timeout | undefined;
  #polls = 0;
  #stopped = false;

  constructor(options: FileOptions, context: ConsumerContext) {
    const name = (text: string | undefined): Name | undefined =>
      text === undefined ? undefined : context.template(text);
    if (options.noop && (options.delete || options.move !== undefined)) {
      throw new Error("noop leaves files where they are: leave out delete and move");
    }
    this.#options = options;
    this.#context = context;
    this.#wanted = fileFilter(options);
    this.#charset = charsetOf(options.charset);
    this.#names = {
      fileName: name(options.fileName),
      move: name(options.noop || options.delete ? undefined : target(options.move ?? ".camel")),
      moveFailed: name(options.moveFailed === undefined ? undefined : target(options.moveFailed)),
      preMove: name(options.preMove === undefined ? undefined : target(options.preMove)),
      doneFileName: name(options.doneFileName),
    };
    const idempotent = options.idempotent ?? options.noop;
    this.#key = idempotent ? context.template(options.idempotentKey ?? "${file:absolute.path}") : undefined;
    this.#sort = sorted(options.sortBy, context);
  }

  start(): void {
    this.#timer = setTimeout(() => void this.#tick(), this.#options.initialDelay);
  }

  stop(): void {
    this.#stopped = true;
    clearTimeout(this.#timer);
  }

  async #tick(): Promise<void> {
    const { delay, greedy, repeatCount, useFixedDelay } = this.#options;
    const began = performance.now();
    let taken = 0;
    try {
      taken = await this.#poll();
    } catch (error) {
      this.#tell(`files cannot be looked for in '${this.#options.directoryName}': ${exceptionMessage(error)}`);
    }
    this.#polls += 1;
    if (this.#stopped || (repeatCount > 0 && this.#polls >= repeatCount)) return;
    const spent = useFixedDelay ? 0 : performance.now() - began;
    this.#timer = setTimeout(() => void this.#tick(), greedy && taken > 0 ? 0 : Math.max(0, delay - spent));
  }

  /** How many files became messages. */
  async #poll(): Promise<number> {
    const { directoryName, maxMessagesPerPoll, startingDirectoryMustExist, sendEmptyMessageWhenIdle } = this.#options;
    const area = new FileArea(rootOf(this.#context), directoryName);
    if ((await statOf(area.path)) === undefined) {
      if (startingDirectoryMustExist) throw new Error("the directory does not exist");
      await mkdir(area.path, { recursive: true });
    }
    const ready = await this.#ready(area);
    const chosen = maxMessagesPerPoll > 0 ? ready.slice(0, maxMessagesPerPoll) : ready;
    let taken = 0;
    for (const found of chosen) {
      if (this.#stopped) break;
      if (await this.#take(area, found)) taken += 1;
    }
    if (taken === 0 && sendEmptyMessageWhenIdle && !this.#stopped)
      await this.#run((run) => this.#exchange(run, null, []));
    return taken;
  }

  async #ready(area: FileArea): Promise<FoundFile[]> {
    const found = await findFiles(area, this.#options, this.#wanted);
    const now = Date.now();
    const { readLock, readLockMinAge } = this.#options;
    const before = this.#before;
    this.#before = new Map(found.map(({ path, stats }) => [path, `${stats.size} ${stats.mtimeMs}`]));
    const ready: FoundFile[] = [];
    for (const file of found) {
      const { path, stats } = file;
      if (readLock === "changed" && before.get(path) !== `${stats.size} ${stats.mtimeMs}`) continue;
      if (now - stats.mtimeMs < readLockMinAge) continue;
      const named = this.#named(area, file);
      if (this.#names.fileName !== undefined && this.#names.fileName(named) !== headerOf(named, "CamelFileName"))
        continue;
      if (this.#key !== undefined && this.#seen.has(this.#key(named))) continue;
      const done = this.#names.doneFileName?.(named);
      if (done !== undefined && (await statOf(area.inside(done))) === undefined) continue;
      if (found.some((other) => this.#isDoneFileOf(area, other, path))) continue;
      ready.push(file);
    }
    return this.#sort(ready, (file) => this.#named(area, file), this.#options.shuffle);
  }

  /** A done file is no message itself. */
  #isDoneFileOf(area: FileArea, other: FoundFile, path: string): boolean {
    const done = this.#names.doneFileName;
    return done !== undefined && other.path !== path && area.inside(done(this.#named(area, other))) === path;
  }

  async #take(area: FileArea, { path, stats }: FoundFile): Promise<boolean> {
    const { messageBodyBytes } = this.#context.limits;
    const named = this.#named(area, { path, stats });
    const key = this.#key?.(named);
    if (key !== undefined && this.#options.idempotentEager) this.#seen.add(key);
    let at = path;
    try {
      if (stats.size > messageBodyBytes) {
        throw new FlowException("LimitExceededException", `a message's body has at most ${messageBodyBytes} bytes`);
      }
      if (this.#names.preMove !== undefined) at = await this.#move(area, path, this.#names.preMove, named);
      const content = decode(await readFile(at), this.#charset);
      await this.#run((run) => this.#exchange(run, content, fileHeaders(area, path, stats)));
    } catch (error) {
      await this.#failed(area, at, named, key, error);
      return true;
    }
    if (key !== undefined) this.#seen.add(key);
    await this.#afterwards(area, path, at, named);
    return true;
  }

  /** The run's record tells what went wrong in the route; here is only what becomes of the file. */
  async #failed(area: FileArea, at: string, named: Exchange, key: string | undefined, error: unknown): Promise<void> {
    if (key !== undefined && this.#options.idempotentEager) this.#seen.delete(key);
    const { moveFailed } = this.#names;
    this.#tell(`'${headerOf(named, "CamelFilePath")}' failed: ${exceptionMessage(error)}`);
    try {
      if (moveFailed !== undefined) await this.#move(area, at, moveFailed, named);
    } catch (problem) {
      this.#tell(`'${headerOf(named, "CamelFilePath")}' cannot be moved: ${exceptionMessage(problem)}`);
    }
  }

  async #afterwards(area: FileArea, path: string, at: string, named: Exchange): Promise<void> {
    try {
      const done = this.#names.doneFileName?.(named);
      if (done !== undefined && !this.#options.noop) await rm(area.inside(done), { force: true });
      if (this.#options.delete) await rm(at, { force: true });
      else if (this.#names.move !== undefined) await this.#move(area, at, this.#names.move, named);
    } catch (error) {
      // It would be read again for ever.
      this.#seen.add(path);
      this.#tell(`'${headerOf(named, "CamelFilePath")}' cannot be moved or deleted: ${exceptionMessage(error)}`);
    }
  }

  async #move(area: FileArea, from: string, name: Name, named: Exchange): Promise<string> {
    const to = area.anywhere(name(named));
    if (to !== from) await moveTo(from, to);
    return to;
  }

  #run(exchange: (run: Run) => Exchange): Promise<Exchange> {
    const { uri, process } = this.#context;
    return this.#context.announce({ cause: "file", uri, parent: undefined, exchange, process });
  }

  #exchange(run: Run, body: unknown, headers: ReturnType<typeof fileHeaders>): Exchange {
    const { limits, routeId } = this.#context;
    const received = new Headers(limits);
    for (const [name, value] of headers) received.receive(name, value);
    return new Exchange(run, routeId, new Message(limits, received, body));
  }

  /** An exchange that has the file's headers only: for names that are made of them. */
  #named(area: FileArea, { path, stats }: FoundFile): Exchange {
    const exchange = blankExchange(this.#context.limits);
    for (const [name, value] of fileHeaders(area, path, stats)) exchange.message.headers.receive(name, value);
    return exchange;
  }

  #tell(message: string): void {
    this.#context.log("WARN", "", message);
  }
}

/** `done` is a directory; `done/${file:name}.old` is a name (Camel: GenericFileEndpoint.createFileExpression). */
function target(text: string): string {
  return text.includes("${") ? text : `${text.replace(/\/$/, "")}/\${file:name}`;
}

function headerOf({ message }: Exchange, name: string): unknown {
  return message.headers.get(name);
}
