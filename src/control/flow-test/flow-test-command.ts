/** `bulkhead test`: tests of flows from files. */
import { writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { Unreachable } from "./api-client.ts";
import { type CommandLine, readCommandLine, routesOf, testFilePaths, usage } from "./command-line.ts";
import { EmbeddedRuntime } from "./embedded-runtime.ts";
import { FlowSources } from "./flow-sources.ts";
import { RemoteRuntime } from "./remote-runtime.ts";
import { junit } from "./report-junit.ts";
import { countsOf, fileLines, type Paint, paint, summary, testLines } from "./report-text.ts";
import { type FileResult, runFile } from "./run-files.ts";
import type { TestRuntime } from "./runtime.ts";
import { BadFile, readTestFile, type TestFile } from "./test-file.ts";
import { Changes, directoriesOf } from "./watch.ts";
import { updatedText } from "./yaml-update.ts";

export interface Terminal {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly colours: boolean;
  readonly say: (line: string) => void;
  readonly complain: (line: string) => void;
  /** `stop` is called when the process is to end. */
  readonly onStop: (stop: () => Promise<void>) => void;
}

/** The exit code: 0 all tests passed, 1 one failed, 2 a file or an argument cannot be used. */
export async function flowTestCommand(args: readonly string[], terminal: Terminal): Promise<number> {
  try {
    const line = readCommandLine(args, terminal.env);
    if (!line.help) return await new FlowTests(line, terminal).run();
    terminal.say(usage);
    return 0;
  } catch (error) {
    if (!(error instanceof BadFile || error instanceof Unreachable)) throw error;
    terminal.complain(error.message);
    return 2;
  }
}

class FlowTests {
  readonly #line: CommandLine;
  readonly #terminal: Terminal;
  readonly #paint: Paint;
  /** Of each file, when it was run last. */
  readonly #fingerprints = new Map<string, string>();
  #runtime: Promise<TestRuntime> | undefined;
  #stopped = false;

  constructor(line: CommandLine, terminal: Terminal) {
    this.#line = line;
    this.#terminal = terminal;
    this.#paint = paint(terminal.colours);
    terminal.onStop(() => this.#close());
  }

  async run(): Promise<number> {
    try {
      if (this.#line.watch) await this.#watch();
      return await this.#once(this.#read());
    } catch (error) {
      // Whatever fails because its runtime is gone.
      if (this.#stopped) return 1;
      throw error;
    } finally {
      await this.#close();
    }
  }

  async #watch(): Promise<void> {
    const changes = new Changes();
    while (!this.#stopped) {
      try {
        changes.follow(this.#line.paths.flatMap((path) => [path, dirname(path)]));
        const files = this.#read();
        changes.follow(files.flatMap(({ path }) => [dirname(path), ...directoriesOf(this.#sourcesOf(path).directory)]));
        const changed = files.filter((file) => this.#isNew(file));
        if (changed.length > 0) {
          await this.#once(changed);
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
    const files = testFilePaths(this.#line.paths).flatMap((path) => {
      try {
        const file = readTestFile(path);
        if (this.#line.remote === undefined) this.#sourcesOf(path).documents(file);
        return [file];
      } catch (error) {
        if (!(error instanceof BadFile)) throw error;
        problems.push(error.message);
        return [];
      }
    });
    if (problems.length > 0) throw new BadFile(problems.join("\n"));
    return files;
  }

  async #once(files: readonly TestFile[]): Promise<number> {
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
        sourcesOf: ({ path }) => this.#sourcesOf(path),
        stopped: () => this.#stopped,
        onFile: (one, notes) => fileLines(one, notes, this.#paint).forEach(say),
        onTest: (one, test) => testLines(one, test, update, this.#paint).forEach(say),
      });
      results.push(result);
      if (update) this.#update(result);
    }
    const counts = countsOf(results);
    if (counts.tests === 0 && !this.#stopped)
      throw new BadFile(`--filter: no test's name, and no flow's id, holds '${filter}'`);
    say(`\n${summary(results, performance.now() - began, only, this.#paint)}`);
    if (junitFile !== undefined) write(junitFile, junit(results));
    return counts.failed > 0 ? 1 : 0;
  }

  #update({ file, tests }: FileResult): void {
    const updates = tests.flatMap(({ test, got, updates: wanted }) =>
      wanted === true && got !== undefined ? [{ test, got }] : [],
    );
    if (updates.length === 0) return;
    try {
      write(file.path, updatedText(file, updates));
    } catch (error) {
      if (error instanceof BadFile) throw error;
      throw new BadFile(
        `${file.path}: --update cannot write it: ${error instanceof Error ? error.message : String(error)}`,
      );
    }
  }

  #isNew(file: TestFile): boolean {
    const now = this.#sourcesOf(file.path).fingerprint(file, this.#line.remote === undefined);
    if (this.#fingerprints.get(file.path) === now) return false;
    this.#fingerprints.set(file.path, now);
    return true;
  }

  #sourcesOf(path: string): FlowSources {
    return new FlowSources(this.#line.routes ?? routesOf(path));
  }

  #start(): Promise<TestRuntime> {
    const { remote, egressAllow } = this.#line;
    this.#runtime ??=
      remote === undefined
        ? EmbeddedRuntime.start({ egressAllow, ...this.#terminal })
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

function write(path: string, text: string): void {
  try {
    writeFileSync(path, text);
  } catch (error) {
    throw new BadFile(`${path}: it cannot be written: ${error instanceof Error ? error.message : String(error)}`);
  }
}
