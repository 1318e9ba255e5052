/** One mock of a session in a thread; its expressions are compiled when a message first comes to it. */
import type { Mock, MockAction } from "../../shared/mock.ts";
import { exceptionMessage, exceptionType, FlowException } from "../engine/exception.ts";
import type { Exchange } from "../engine/exchange.ts";
import { NotLoaded, withModules } from "../engine/late-module.ts";
import type { Predicate, Processor } from "../engine/processor.ts";
import { compileCondition } from "./condition.ts";
import type { MockedFlow } from "./mocked-flow.ts";
import { compileRespond } from "./respond.ts";
import { failureOf } from "./throw.ts";

interface Compiled {
  readonly holds: Predicate | undefined;
  /** By action; undefined: it answers nothing. */
  readonly responds: readonly (Processor | undefined)[];
}

/** What a mock does this time. */
export interface Act {
  readonly kind: MockAction["kind"];
  readonly delayMs: number;
  /** In place of the step; of a spy, nothing. */
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

  /** To be called, and awaited, before anything else. What is wrong with an expression is told where it would be used. */
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

  /** Whether it is for this message. */
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
