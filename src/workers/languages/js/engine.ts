/**
 * The only import of QuickJS. JavaScript of flows runs in an interpreter within WebAssembly, which has limited memory
 * of its own and no access to files, network, timers or this process.
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
import { ScriptMemory } from "./script-memory.ts";

const MiB = 1024 * 1024;
const pageBytes = 64 * 1024;
/** The memory that a script may use at least. */
const memoryBytes = 64 * MiB;
/** The total memory. The remainder is for the interpreter, and for the gaps that large texts leave between values. */
const wasmPages = (memoryBytes + 16 * MiB) / pageBytes;
const stackBytes = 192 * 1024;
/** A runtime is replaced after this many scripts, which frees what it leaks. */
const scriptsPerRuntime = 2000;
/** The most promise reactions that a script may run. */
const maxJobs = 100_000;

/** The interpreter and its memory. */
interface Instance {
  readonly module: QuickJSWASMModule;
  readonly memory: ScriptMemory;
}

type MakeInstance = () => Promise<Instance>;

export class ScriptEngine {
  readonly #library: Pick<typeof import("quickjs-emscripten-core"), "Scope">;
  readonly #make: MakeInstance;
  /** undefined when the instance has failed and there is no spare. */
  #instance: Instance | undefined;
  /** Replaces an instance that has failed. It is made ahead, since making one takes a turn of the event loop. */
  #spare: Instance | undefined;
  #making: Promise<void> | undefined;
  #runtime: QuickJSRuntime | undefined;
  #served = 0;

  constructor(
    library: Pick<typeof import("quickjs-emscripten-core"), "Scope">,
    make: MakeInstance,
    instance: Instance,
    spare: Instance,
  ) {
    this.#library = library;
    this.#make = make;
    this.#instance = instance;
    this.#spare = spare;
  }

  /** Parses the script without running it. Throws ExpressionSyntaxError. */
  check(script: string, budget: Budget): void {
    this.#inContext(budget, (context, scope) => {
      const outcome = context.evalCode(script, "script", { type: "global", compileOnly: true });
      if (outcome.error === undefined) return scope.manage(outcome.value);
      const { text, line } = errorOf(context, scope.manage(outcome.error));
      throw new ExpressionSyntaxError(text, indexOf(script, line));
    });
  }

  /**
   * Runs `prepare(input)`, the script and `finish(value)` in a fresh global scope; `prelude` evaluates to the two
   * functions. Returns the text that `finish` returns.
   */
  run(prelude: string, script: string, input: string, budget: Budget): string {
    return this.#inContext(budget, (context, scope, memory) => {
      const value = (outcome: EvalResult): QuickJSHandle => handleOf(context, scope, outcome, budget, memory);
      const hooks = value(context.evalCode(prelude, "prelude", { type: "global", strict: true }));
      const prepare = scope.manage(context.getProp(hooks, "prepare"));
      const finish = scope.manage(context.getProp(hooks, "finish"));
      value(context.callFunction(prepare, context.undefined, scope.manage(context.newString(input))));
      // The library does not report that it got no memory for the text.
      if (memory.isExhausted) throw new Error("there is no memory for the exchange");
      const evaluated = value(context.evalCode(script, "script", { type: "global" }));
      const result = settle(context, scope, evaluated, value);
      const output = context.getString(value(context.callFunction(finish, context.undefined, result)));
      // The interpreter returns an empty text when it has no memory for the copy that the host reads.
      if (output === "") throw outOfBounds(budget, outOfMemory);
      return output;
    });
  }

  #inContext<T>(budget: Budget, use: (context: QuickJSContext, scope: Scope, memory: ScriptMemory) => T): T {
    const instance = this.#instanceNow();
    const { memory } = instance;
    const context = this.#newContext(instance, budget);
    const scope = new this.#library.Scope();
    scope.manage(context);
    try {
      const result = use(context, scope, memory);
      scope.dispose();
      return result;
    } catch (error) {
      if (error instanceof FlowException || error instanceof ExpressionSyntaxError) {
        this.#endScope(scope);
        throw error;
      }
      // The host's stack or memory failed during the call, so the state of this instance is unknown. What the library
      // then frees may trap, which replaces the first error.
      this.#replaceInstance();
      if (memory.isExhausted) throw outOfBounds(budget, outOfMemory);
      if (error instanceof RangeError || error instanceof WebAssembly.RuntimeError)
        throw outOfBounds(budget, exceptionMessage(error));
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
      this.#replaceInstance();
    }
  }

  #instanceNow(): Instance {
    this.#instance ??= this.#takeSpare();
    if (this.#instance !== undefined) return this.#instance;
    throw new FlowException("ScriptException", "the script's interpreter starts anew: try again");
  }

  #newContext({ module, memory }: Instance, budget: Budget): QuickJSContext {
    try {
      this.#served += 1;
      if (this.#served % scriptsPerRuntime === 0) this.#dropRuntime();
      this.#runtime ??= newRuntime(module);
      this.#runtime.setInterruptHandler(() => budget.isOver);
      memory.isExhausted = false;
      return this.#runtime.newContext();
    } catch (error) {
      this.#replaceInstance();
      throw new FlowException("LimitExceededException", "the script's interpreter has no memory left", {
        cause: error,
      });
    }
  }

  #dropRuntime(): void {
    const runtime = this.#runtime;
    this.#runtime = undefined;
    try {
      runtime?.dispose();
    } catch {
      this.#replaceInstance();
    }
  }

  #replaceInstance(): void {
    this.#runtime = undefined;
    this.#instance = this.#takeSpare();
  }

  /** Takes the spare and starts to make the next one. */
  #takeSpare(): Instance | undefined {
    const spare = this.#spare;
    this.#spare = undefined;
    this.#making ??= this.#make()
      .then(
        (instance) => {
          this.#spare = instance;
        },
        () => {},
      )
      .finally(() => {
        this.#making = undefined;
      });
    return spare;
  }
}

function newRuntime(module: QuickJSWASMModule): QuickJSRuntime {
  const runtime = module.newRuntime();
  runtime.setMaxStackSize(stackBytes);
  return runtime;
}

export const scriptEngine = new LateModule(async () => {
  const library = await import("quickjs-emscripten-core");
  const { default: variant } = await import("@jitl/quickjs-wasmfile-release-sync");
  const { newQuickJSWASMModuleFromVariant, newVariant } = library;
  const make: MakeInstance = async () => {
    const memory = new ScriptMemory({ initial: 256, maximum: wasmPages });
    const module = await newQuickJSWASMModuleFromVariant(
      newVariant(variant as unknown as QuickJSSyncVariant, {
        wasmMemory: memory,
        // A failed instance would otherwise write to the standard output of the process.
        emscriptenModule: silent,
      }),
    );
    return { module, memory };
  };
  return new ScriptEngine(library, make, await make(), await make());
});

const outOfMemory = "out of memory";

/** The library supports these options without declaring them. */
const silent: object = { print() {}, printErr() {} };

type EvalResult = ReturnType<QuickJSContext["evalCode"]>;

/**
 * Returns the value of an evaluation. Throws LimitExceededException if a limit ended it, ScriptException for an error
 * that it threw.
 */
function handleOf(
  context: QuickJSContext,
  scope: Scope,
  outcome: EvalResult,
  budget: Budget,
  memory: ScriptMemory,
): QuickJSHandle {
  if (outcome.error === undefined) return scope.manage(outcome.value);
  const error = scope.manage(outcome.error);
  if (budget.isOver) throw budget.overTime();
  const { text, internal, isNothing } = errorOf(context, error);
  // Without memory for an error the interpreter throws null, undefined, or a value that cannot be serialized.
  if (memory.isExhausted && isNothing) throw outOfBounds(budget, outOfMemory);
  if (internal) throw outOfBounds(budget, text);
  throw new FlowException("ScriptException", text);
}

function outOfBounds(budget: Budget, text: string): FlowException {
  return budget.exceeded(`uses at most ${memoryBytes} bytes and a stack of ${stackBytes} bytes: ${text}`);
}

interface ScriptError {
  readonly text: string;
  /** true: an error of the interpreter itself: out of memory, stack overflow, interrupted. */
  readonly internal: boolean;
  /** true: null, undefined or an empty text was thrown. */
  readonly isNothing: boolean;
  readonly line: number;
}

function errorOf(context: QuickJSContext, error: QuickJSHandle): ScriptError {
  const dumped: unknown = context.dump(error);
  const isNothing = dumped === null || dumped === undefined || dumped === "";
  if (typeof dumped !== "object" || dumped === null)
    return { text: String(dumped), internal: false, isNothing, line: 1 };
  const { name, message, stack } = dumped as Readonly<Record<string, unknown>>;
  const line = Number(/\bscript:(\d+)/.exec(String(stack ?? ""))?.[1] ?? 1);
  const internal = name === "InternalError";
  const reason = String(message ?? (internal ? outOfMemory : "an object was thrown"));
  const what = name === undefined ? reason : `${String(name)}: ${reason}`;
  return { text: `${what} (line ${line} of the script)`, internal, isNothing, line };
}

/**
 * Returns a promise's value after running all its reactions. The promise cannot wait for anything outside the script.
 */
function settle(
  context: QuickJSContext,
  scope: Scope,
  handle: QuickJSHandle,
  value: (outcome: EvalResult) => QuickJSHandle,
): QuickJSHandle {
  const state = context.getPromiseState(handle);
  if (state.type === "fulfilled" && state.notAPromise === true) return handle;
  if (state.type === "pending") {
    const jobs = context.runtime.executePendingJobs(maxJobs);
    if (jobs.error !== undefined) value(jobs as unknown as EvalResult);
  } else if (state.type === "fulfilled") state.value.dispose();
  else state.error.dispose();
  const done = context.getPromiseState(handle);
  if (done.type === "fulfilled") return scope.manage(done.value);
  if (done.type === "rejected") return value(done as unknown as EvalResult);
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
