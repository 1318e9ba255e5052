/** One mock of a session in a thread. Its expressions are compiled for the first message that reaches it. */
import { bodyMismatches, headerMismatches } from "../../shared/matchers.ts";
import type { Mock, MockAction, MockCondition } from "../../shared/mock.ts";
import type { ExpressionCompiler } from "../compile/compile-expression.ts";
import { exceptionMessage, exceptionType, FlowException } from "../engine/exception.ts";
import type { Exchange } from "../engine/exchange.ts";
import type { Headers } from "../engine/headers.ts";
import { jsonData } from "../engine/json-data.ts";
import { NotLoaded, withModules } from "../engine/late-module.ts";
import type { Predicate, Processor } from "../engine/processor.ts";
import { markupOf } from "../engine/xml-value.ts";
import { matcherRegex } from "../testing/judge-call.ts";
import { compileRespond, mockFailure } from "./mock-actions.ts";
import { expressionModel, type MockedFlow } from "./mocked-flow.ts";

interface Compiled {
  readonly holds: Predicate | undefined;
  /** The answer of each action; undefined: the action has no answer. */
  readonly responds: readonly (Processor | undefined)[];
}

/** The behaviour of a mock at one of its uses. */
export interface Act {
  readonly kind: MockAction["kind"];
  readonly delayMs: number;
  /** Runs in place of the step; does nothing for a spy. */
  perform(exchange: Exchange, uri: string): void | Promise<void>;
}

export class ArmedMock {
  /** The index in the session's mocks. */
  readonly index: number;
  readonly mock: Mock;
  readonly #flow: MockedFlow;
  #compiled: Compiled | undefined;
  #fault: unknown;

  constructor(index: number, mock: Mock, flow: MockedFlow) {
    this.index = index;
    this.mock = mock;
    this.#flow = flow;
  }

  /**
   * Must be awaited before any other method is called. A fault in an expression is thrown by the method that uses it.
   */
  load(): void | Promise<void> {
    if (this.#compiled !== undefined || this.#fault !== undefined) return;
    const failed = (error: unknown): void => {
      this.#fault = error;
    };
    try {
      this.#compiled = this.#compile();
    } catch (error) {
      if (!(error instanceof NotLoaded)) return failed(error);
      return withModules(() => this.#compile()).then((compiled) => {
        this.#compiled = compiled;
      }, failed);
    }
  }

  /** Whether the message meets the mock's condition. */
  holds(exchange: Exchange): boolean {
    if (this.#compiled === undefined) throw this.#named("", this.#fault);
    try {
      return this.#compiled.holds === undefined || this.#compiled.holds(exchange);
    } catch (error) {
      throw this.#named("when: ", error);
    }
  }

  /** `use`: counts from 0. Uses beyond the last action repeat it, for a mock without a limit of uses. */
  act(use: number): Act {
    const { actions, times, after } = this.mock;
    if (times > 0 && use >= times && after === "fail") return this.#exhausted();
    const at = Math.min(use, actions.length - 1);
    const action = actions[at] as MockAction;
    if (action.kind === "spy") return { kind: "spy", delayMs: 0, perform() {} };
    const { kind, delayMs = 0 } = action;
    if (kind === "respond") {
      const respond = this.#compiled?.responds[at];
      return { kind, delayMs, perform: (exchange) => this.#respond(exchange, respond) };
    }
    return {
      kind,
      delayMs,
      perform(exchange, uri) {
        throw mockFailure(action, uri, exchange.message.headers);
      },
    };
  }

  #compile(): Compiled {
    const { when, actions } = this.mock;
    const { expressions } = this.#flow;
    return {
      holds: when === undefined ? undefined : compileCondition(when, expressions),
      responds: actions.map((action) => (action.kind === "respond" ? compileRespond(action, expressions) : undefined)),
    };
  }

  #respond(exchange: Exchange, respond: Processor | undefined): void | Promise<void> {
    try {
      return respond?.(exchange);
    } catch (error) {
      throw this.#named("respond: ", error);
    }
  }

  #exhausted(): Act {
    const perform = (): never => {
      throw new FlowException(
        "java.lang.IllegalStateException",
        `mock ${this.index} of the test session has no use left`,
      );
    };
    return { kind: "throw", delayMs: 0, perform };
  }

  /** Names the session in a failure that the session causes, so that it is not taken for one of the flow. */
  #named(what: string, error: unknown): FlowException {
    const message = `mock ${this.index} of the test session: ${what}${exceptionMessage(error)}`;
    return new FlowException(exceptionType(error), message, { cause: error });
  }
}

const how = { regex: matcherRegex, most: 1 };

/**
 * Compiles `when`: matchers over body and headers, and an expression, which must all hold. Throws for an expression
 * that does not parse.
 */
function compileCondition(condition: MockCondition, expressions: ExpressionCompiler): Predicate {
  const { body, headers, expression } = condition;
  const holds = expression === undefined ? undefined : expressions.predicate(expressionModel(expression));
  return (exchange) => {
    const { message } = exchange;
    if (headers !== undefined && headerMismatches(headers, asObject(message.headers), how).length > 0) return false;
    if (body !== undefined && bodyMismatches(body, comparable(message.body), how).length > 0) return false;
    return holds === undefined || holds(exchange);
  };
}

function asObject(headers: Headers): Readonly<Record<string, unknown>> {
  return Object.fromEntries([...headers.entries()].map(([name, value]) => [name, comparable(value)]));
}

/** Converts a value to the form that JSON gives it; XML nodes become text. */
function comparable(value: unknown): unknown {
  return markupOf(value) ?? jsonData(value);
}
