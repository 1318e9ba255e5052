/** One mock of a session in a thread; its expressions are compiled when a message first comes to it. */
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
import { compileRespond, failureOf } from "./mock-actions.ts";
import { expressionModel, type MockedFlow } from "./mocked-flow.ts";

interface Compiled {
  readonly holds: Predicate | undefined;
  /** By action; undefined: it answers nothing. */
  readonly responds: readonly (Processor | undefined)[];
}

/** What a mock does at one of its uses. */
export interface Act {
  readonly kind: MockAction["kind"];
  readonly delayMs: number;
  /** Takes the place of the step; a spy does nothing here. */
  perform(exchange: Exchange, uri: string): void | Promise<void>;
}

export class ArmedMock {
  /** Into the session's mocks. */
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

  /** To be called, and awaited, before anything else. A fault in an expression is thrown where it would be used. */
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

  /** Whether the message meets its condition. */
  holds(exchange: Exchange): boolean {
    if (this.#compiled === undefined) throw this.#named("", this.#fault);
    try {
      return this.#compiled.holds === undefined || this.#compiled.holds(exchange);
    } catch (error) {
      throw this.#named("when: ", error);
    }
  }

  /** `use`: from 0 on, beyond its last one for a mock that is never passed over. */
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
        throw failureOf(action, uri, exchange.message.headers);
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

  /** A failure of the session rather than of the flow says so. */
  #named(what: string, error: unknown): FlowException {
    const message = `mock ${this.index} of the test session: ${what}${exceptionMessage(error)}`;
    return new FlowException(exceptionType(error), message, { cause: error });
  }
}

const how = { regex: matcherRegex, most: 1 };

/** Compiles `when`: matchers over body and headers, and an expression, all of which must hold. Throws for an expression that its language does not read. */
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

/** As JSON would have it; nodes are the text that they render as. */
function comparable(value: unknown): unknown {
  return markupOf(value) ?? jsonData(value);
}
