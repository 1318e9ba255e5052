/** The registry of elements that stand beside `route` and are compiled into routes. */
import type { ElementDefinition } from "../engine/element.ts";
import { errorHandler } from "./error-handler.ts";
import { intercept, interceptFrom, interceptSendToEndpoint } from "./intercept.ts";
import { onCompletion } from "./on-completion.ts";
import { onException } from "./on-exception.ts";

export { errorHandler, intercept, interceptFrom, interceptSendToEndpoint, onCompletion, onException };

export const elements = [
  errorHandler,
  onException,
  onCompletion,
  intercept,
  interceptFrom,
  interceptSendToEndpoint,
] as unknown as readonly ElementDefinition[];
