/**
 * The only door to QuickJS: JavaScript of flows runs in an interpreter inside of WebAssembly, which has a memory of its own
 * with an end, and neither files, network, timers nor anything of this process.
 */
import type {
  QuickJSContext,
  QuickJSHandle,
  QuickJSRuntime,
  QuickJSSyncVariant,
  QuickJSWASMModule,
  Scope,
} from "quickjs-emscripten-core";
import { ExpressionSyntaxError, exceptionMessage, FlowException } from "../../engine/exception.ts";
import { LateModule } from "../../engine/late-module.ts";
import type { Budget } from "../budget.ts";

const MiB = 1024 * 1024;
const pageBytes = 64 * 1024;
/** What scripts of a thread may use: the interpreter's own limit, and the memory's end, which cannot be argued with. */
const memoryBytes = 64 * MiB;
const wasmPages = (memoryBytes + 16 * MiB) / pageBytes;
const stackBytes = 192 * 1024;
/** A runtime is made anew after so many scripts: what it leaks ends with it. */
const scriptsPerRuntime = 2000;
/** Reactions to promises that one script may run. */
const maxJobs = 100_000;

/** Makes instances of the module; each has its own memory. */
type MakeModule = () => Promise<QuickJSWASMModule>;

export class ScriptEngine {
  readonly #library: Pick<typeof import("quickjs-emscripten-core"), "Scope">;
  readonly #make: MakeModule;
  #module: QuickJSWASMModule;
  /** Ready to take the place of an instance that has failed: making one takes a turn of the loop. */
  #spare: QuickJSWASMModule | undefined;
  #runtime: QuickJSRuntime | undefined;
  #served = 0;

  constructor(
    library: Pick<typeof import("quickjs-emscripten-core"), "Scope">,
    make: MakeModule,
    module: QuickJSWASMModule,
    spare: QuickJSWASMModule,
  ) {
    this.#library = library;
    this.#make = make;
    this.#module = module;
    this.#spare = spare;
  }

  /** Reads the script without running it. Throws ExpressionSyntaxError. */
  check(script: string, budget: Budget): void {
    this.#inContext(budget, (context, scope) => {
      const outcome = context.evalCode(script, "script", { type: "global", compileOnly: true });
      if (outcome.error === undefined) return scope.manage(outcome.value);
      const { text, line } = errorOf(context, scope.manage(outcome.error));
      throw new ExpressionSyntaxError(text, indexOf(script, line));
    });
  }

  /**
   * Runs `prepare(input)`, the script and `finish(value)` in a fresh global scope; the two are functions that `prelude`
   * evaluates to. The result is the text that `finish` returns.
   */
  run(prelude: string, script: string, input: string, budget: Budget): string {
    return this.#inContext(budget, (context, scope) => {
      const value = (outcome: Outcome): QuickJSHandle => handleOf(context, scope, outcome, budget);
      const hooks = value(context.evalCode(prelude, "prelude", { type: "global", strict: true }));
      const prepare = scope.manage(context.getProp(hooks, "prepare"));
      const finish = scope.manage(context.getProp(hooks, "finish"));
      value(context.callFunction(prepare, context.undefined, scope.manage(context.newString(input))));
      const evaluated = value(context.evalCode(script, "script", { type: "global" }));
      const result = settled(context, scope, evaluated, value);
      return context.getString(value(context.callFunction(finish, context.undefined, result)));
    });
  }

  #inContext<T>(budget: Budget, use: (context: QuickJSContext, scope: Scope) => T): T {
    const context = this.#newContext(budget);
    const scope = new this.#library.Scope();
    scope.manage(context);
    try {
      const result = use(context, scope);
      scope.dispose();
      return result;
    } catch (error) {
      if (error instanceof FlowException || error instanceof ExpressionSyntaxError) {
        this.#endScope(scope);
        throw error;
      }
      // The host's stack or memory failed in the midst of it: nothing in this instance can be relied on.
      this.#replaceModule();
      throw new FlowException("ScriptException", `the script's interpreter failed: ${exceptionMessage(error)}`, {
        cause: error,
      });
    }
  }

  #endScope(scope: Scope): void {
    try {
      scope.dispose();
      this.#dropRuntime();
    } catch {
      this.#replaceModule();
    }
  }

  #newContext(budget: Budget): QuickJSContext {
    try {
      this.#served += 1;
      if (this.#served % scriptsPerRuntime === 0) this.#dropRuntime();
      this.#runtime ??= this.#newRuntime();
      this.#runtime.setInterruptHandler(() => budget.isOver);
      return this.#runtime.newContext();
    } catch (error) {
      this.#replaceModule();
      throw new FlowException("LimitExceededException", "the script's interpreter has no memory left", {
        cause: error,
      });
    }
  }

  #newRuntime(): QuickJSRuntime {
    const runtime = this.#module.newRuntime();
    runtime.setMemoryLimit(memoryBytes);
    runtime.setMaxStackSize(stackBytes);
    return runtime;
  }

  #dropRuntime(): void {
    const runtime = this.#runtime;
    this.#runtime = undefined;
    try {
      runtime?.dispose();
    } catch {
      this.#replaceModule();
    }
  }

  #replaceModule(): void {
    this.#runtime = undefined;
    if (this.#spare === undefined)
      throw new FlowException("ScriptException", "the script's interpreter starts anew: try again");
    this.#module = this.#spare;
    this.#spare = undefined;
    void this.#make().then(
      (module) => {
        this.#spare = module;
      },
      () => {},
    );
  }
}

export const scriptEngine = new LateModule(async () => {
  const library = await import("quickjs-emscripten-core");
  const { default: variant } = await import("@jitl/quickjs-wasmfile-release-sync");
  const { newQuickJSWASMModuleFromVariant, newVariant } = library;
  const make: MakeModule = () =>
    newQuickJSWASMModuleFromVariant(
      newVariant(variant as unknown as QuickJSSyncVariant, {
        wasmMemory: new WebAssembly.Memory({ initial: 256, maximum: wasmPages }),
        // A failed instance would write about it to the process's own output.
        emscriptenModule: silent,
      }),
    );
  return new ScriptEngine(library, make, await make(), await make());
});

/** The library knows of these options and does not name them. */
const silent: object = { print() {}, printErr() {} };

type Outcome = ReturnType<QuickJSContext["evalCode"]>;

/** The value of an evaluation. Throws LimitExceededException for one that was ended, ScriptException for what it threw. */
function handleOf(context: QuickJSContext, scope: Scope, outcome: Outcome, budget: Budget): QuickJSHandle {
  if (outcome.error === undefined) return scope.manage(outcome.value);
  const { text, internal } = errorOf(context, scope.manage(outcome.error));
  if (budget.isOver) throw budget.overTime();
  if (internal) throw budget.exceeded(`uses at most ${memoryBytes} bytes and a stack of ${stackBytes} bytes: ${text}`);
  throw new FlowException("ScriptException", text);
}

interface ScriptError {
  readonly text: string;
  /** The interpreter's own: no memory, no stack, interrupted. */
  readonly internal: boolean;
  readonly line: number;
}

function errorOf(context: QuickJSContext, error: QuickJSHandle): ScriptError {
  const dumped: unknown = context.dump(error);
  // Without memory for an error the interpreter throws null.
  if (dumped === null && memoryIsGone(context)) return { text: "out of memory", internal: true, line: 1 };
  if (typeof dumped !== "object" || dumped === null) return { text: String(dumped), internal: false, line: 1 };
  const { name, message, stack } = dumped as Readonly<Record<string, unknown>>;
  const line = Number(/\bscript:(\d+)/.exec(String(stack ?? ""))?.[1] ?? 1);
  const what = name === undefined ? String(message ?? "an object was thrown") : `${String(name)}: ${String(message)}`;
  return { text: `${what} (line ${line} of the script)`, internal: name === "InternalError", line };
}

function memoryIsGone({ runtime }: QuickJSContext): boolean {
  const used = /memory used\s+\d+\s+(\d+)/.exec(runtime.dumpMemoryUsage())?.[1];
  return used === undefined || Number(used) > 0.9 * memoryBytes;
}

/** A promise's value, once all that it waits for has run; there is nothing outside that it could wait for. */
function settled(
  context: QuickJSContext,
  scope: Scope,
  handle: QuickJSHandle,
  value: (outcome: Outcome) => QuickJSHandle,
): QuickJSHandle {
  const state = context.getPromiseState(handle);
  if (state.type === "fulfilled" && state.notAPromise === true) return handle;
  if (state.type === "pending") {
    const jobs = context.runtime.executePendingJobs(maxJobs);
    if (jobs.error !== undefined) value(jobs as unknown as Outcome);
  } else if (state.type === "fulfilled") state.value.dispose();
  else state.error.dispose();
  const done = context.getPromiseState(handle);
  if (done.type === "fulfilled") return scope.manage(done.value);
  if (done.type === "rejected") return value(done as unknown as Outcome);
  throw new FlowException(
    "ScriptException",
    "the script's promise is never settled: there is nothing to wait for in a script",
  );
}

function indexOf(script: string, line: number): number {
  let index = 0;
  for (let at = 1; at < line; at++) index = script.indexOf("\n", index) + 1;
  return index;
}
