/** The context of both ends of an endpoint, for every component. */

import type { BeanReference } from "./bean.ts";
import type { Connection, ConnectionNeed } from "./connections/connection.ts";
import type { Exchange } from "./exchange.ts";
import type { FlowScope } from "./flow-scope.ts";
import type { UseState, Warn } from "./flow-state.ts";
import type { UseMapping } from "./mappings.ts";
import type { Expression } from "./processor.ts";

export interface EndpointContext extends FlowScope {
  /** Compiles a simple template. Throws ExpressionSyntaxError. */
  template(text: string): (exchange: Exchange) => string;
  /**
   * Compiles an expression in a language of the catalogue. Throws for an unknown language, and ExpressionSyntaxError.
   */
  expression(language: string, text: string): Expression;
  /** Compiles a condition in simple. Throws ExpressionSyntaxError. */
  condition(text: string): (exchange: Exchange) => boolean;
  /** The path of the flow's own directory; undefined in threads without one. */
  readonly files: string | undefined;
  readonly useMapping: UseMapping;
  /** Returns the bean that `#name`, `#class:type` or `name` refers to; undefined for an unknown one. */
  bean(reference: string): BeanReference | undefined;
  readonly state: UseState;
  /**
   * Returns the named connection that the endpoint uses, and declares it for the manifest. Whether it exists is not known
   * here. Throws for what names none, and for one that is new in an endpoint that a message names. `Client`: what the
   * drivers of these kinds open.
   */
  connection<Client>(need: ConnectionNeed): Connection<Client>;
  readonly warn: Warn;
}
