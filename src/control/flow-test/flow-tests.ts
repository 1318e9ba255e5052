/** Runs files of tests, once or whenever they change. */
import { dirname, resolve } from "node:path";
import type { CommandLine } from "./command-line.ts";
import type { Threads } from "./embedded-app.ts";
import { FlowSources } from "./flow-sources.ts";
import { junit } from "./report-junit.ts";
import { countsOf, fileLines, type Paint, paint, summary, testLines } from "./report-text.ts";
import { type FileResult, runFile } from "./run-files.ts";
import { EmbeddedRuntime, RemoteRuntime, type TestRuntime } from "./runtimes.ts";
import { readTestFile, type TestFile } from "./test-file.ts";
import { defaultDirectories, defaultFilePaths, nothingFound, routesOf, testFilePaths } from "./test-paths.ts";
import { BadFile, writeText } from "./text-files.ts";
import { Changes, directoriesOf } from "./watch.ts";
import { writeUpdates } from "./yaml-update.ts";

/** The terminal to which `bulkhead test` writes. */
export interface Terminal {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly colours: boolean;
  readonly say: (line: string) => void;
  readonly complain: (line: string) => void;
  /** `stop` is called when the process has to end. */
  readonly onStop: (stop: () => Promise<void>) => void;
}

export class FlowTests {
  readonly #line: CommandLine;
  readonly #terminal: Terminal;
  readonly #threads: Threads;
  readonly #paint: Paint;
  /** The fingerprint of each file when it was last run. */
  readonly #fingerprints = new Map<string, string>();
  #runtime: Promise<TestRuntime> | undefined;
  #stopped = false;

  constructor(line: CommandLine, terminal: Terminal, threads: Threads) {
    this.#line = line;
    this.#terminal = terminal;
    this.#threads = threads;
    this.#paint = paint(terminal.colours);
    terminal.onStop(() => this.#close());
  }

  async run(): Promise<number> {
    try {
      return this.#line.watch ? await this.#watch() : await this.#runOnce(this.#read());
    } catch (error) {
      // Any failure after a stop is due to the runtime's end.
      if (this.#stopped) return 1;
      throw error;
    } finally {
      await this.#close();
    }
  }

  /** Runs until the process has to end. */
  async #watch(): Promise<never> {
    const changes = new Changes();
    for (;;) {
      try {
        changes.forget();
        const { paths } = this.#line;
        changes.follow(paths.length === 0 ? defaultDirectories : paths.flatMap((path) => [path, dirname(path)]));
        const files = this.#read();
        changes.follow(
          files.flatMap((file) => [dirname(file.path), ...directoriesOf(this.#sourcesOf(file).directory)]),
        );
        const changed = files.filter((file) => this.#isNew(file));
        if (changed.length > 0) {
          await this.#runOnce(changed);
          this.#terminal.say("watching for changes (Ctrl-C ends)");
        }
      } catch (error) {
        if (!(error instanceof BadFile)) throw error;
        this.#terminal.complain(error.message);
      }
      await changes.next();
    }
  }

  #read(): readonly TestFile[] {
    const problems: string[] = [];
    const { paths } = this.#line;
    const byDefault = paths.length === 0;
    const files = (byDefault ? defaultFilePaths() : testFilePaths(paths)).flatMap((path) => {
      try {
        const file = readTestFile(path);
        if (file.tests.length === 0 && byDefault) return [];
        if (file.tests.length === 0) throw new BadFile(`${path}:1:1: 'tests' is missing`);
        if (this.#line.remote === undefined) this.#sourcesOf(file).documents(file);
        return [file];
      } catch (error) {
        if (!(error instanceof BadFile)) throw error;
        problems.push(error.message);
        return [];
      }
    });
    if (problems.length > 0) throw new BadFile(problems.join("\n"));
    if (files.length === 0) throw new BadFile(nothingFound);
    return files;
  }

  async #runOnce(files: readonly TestFile[]): Promise<number> {
    const { filter, update, junit: junitFile } = this.#line;
    const { say } = this.#terminal;
    const began = performance.now();
    const only = files.some(({ tests }) => tests.some((test) => test.only === true));
    const runtime = await this.#start();
    const results: FileResult[] = [];
    for (const file of files) {
      if (this.#stopped) break;
      const result = await runFile(runtime, file, {
        ...{ filter, only, update },
        sourcesOf: (one) => this.#sourcesOf(one),
        stopped: () => this.#stopped,
        onFile: (one, notes) => fileLines(one, notes, this.#paint).forEach(say),
        onTest: (one, test) => testLines(one, test, update, this.#paint).forEach(say),
      });
      results.push(result);
      // The update itself changes the file.
      if (update && writeUpdates(result)) this.#isNew(readTestFile(file.path));
    }
    // Tests that were left out would look as if they had passed.
    if (this.#stopped) return 1;
    const counts = countsOf(results);
    if (counts.tests === 0) throw new BadFile(`--filter: no test's name, and no flow's id, holds '${filter}'`);
    say(`\n${summary(results, performance.now() - began, only, this.#paint)}`);
    if (junitFile !== undefined) writeText(junitFile, junit(results));
    return counts.failed > 0 ? 1 : 0;
  }

  #isNew(file: TestFile): boolean {
    const now = this.#sourcesOf(file).fingerprint(file, this.#line.remote === undefined);
    if (this.#fingerprints.get(file.path) === now) return false;
    this.#fingerprints.set(file.path, now);
    return true;
  }

  /** A companion file is beside its flow. */
  #sourcesOf({ path, options }: TestFile): FlowSources {
    return new FlowSources(this.#line.routes ?? (options === undefined ? routesOf(path) : dirname(resolve(path))));
  }

  #start(): Promise<TestRuntime> {
    const { remote, egressAllow } = this.#line;
    this.#runtime ??=
      remote === undefined
        ? EmbeddedRuntime.start({ threads: this.#threads, egressAllow, ...this.#terminal })
        : Promise.resolve(new RemoteRuntime(remote.url, remote.token));
    return this.#runtime;
  }

  async #close(): Promise<void> {
    this.#stopped = true;
    const runtime = await this.#runtime?.catch(() => undefined);
    this.#runtime = undefined;
    await runtime?.close();
  }
}
