/** What both ends of an endpoint may use, whatever their component. */

import type { Exchange } from "./exchange.ts";
import type { FlowScope } from "./flow-scope.ts";
import type { UseMapping } from "./mappings.ts";
import type { Expression } from "./processor.ts";

export interface EndpointContext extends FlowScope {
  /** A simple template over an exchange. Throws ExpressionSyntaxError. */
  template(text: string): (exchange: Exchange) => string;
  /** A text of a language of the catalogue. Throws for an unknown one, and ExpressionSyntaxError. */
  expression(language: string, text: string): Expression;
  /** A condition in simple. Throws ExpressionSyntaxError. */
  condition(text: string): (exchange: Exchange) => boolean;
  /** The flow's own directory, a path of the machine; undefined in threads that have none. */
  readonly files: string | undefined;
  readonly useMapping: UseMapping;
}
