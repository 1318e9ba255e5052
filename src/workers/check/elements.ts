/** Reads onException, errorHandler, onCompletion and intercepts of a document, and adds them to its routes. */
import type {
  ErrorHandlerModel,
  ErrorHooksModel,
  ErrorsModel,
  InterceptModel,
  OnCompletionModel,
  OnExceptionModel,
  ProcessorModel,
  RouteModel,
} from "../../shared/flow-model.ts";
import * as definitions from "../elements/index.ts";
import type { ElementDefinition } from "../engine/element.ts";
import type { OptionsOf, OptionsSchema } from "../engine/slots.ts";
import { type Context, type Converted, failed, type RouteDraft, type StepDraft } from "./context.ts";
import { commonAttributes, finish } from "./options.ts";
import { flagOf } from "./steps.ts";
import { atKey, describeNode, type Entry, type MapNode, toCamelCase } from "./tree.ts";

/** The elements of a document or a routeConfiguration, in the order of the text. */
export interface RouteElements {
  handler?: ErrorHandlerModel;
  readonly clauses: OnExceptionModel[];
  readonly onCompletions: OnCompletionModel[];
  readonly intercepts: InterceptModel[];
}

export const elementNames: ReadonlySet<string> = new Set(definitions.elements.map(({ name }) => name));

type Base = Omit<Context, "route" | "scope">;

export function readElements(entries: readonly Entry[], base: Base): RouteElements {
  const found: RouteElements = { clauses: [], onCompletions: [], intercepts: [] };
  for (const entry of entries) readElement(entry, found, base);
  return found;
}

function readElement(entry: Entry, found: RouteElements, base: Base): void {
  const name = toCamelCase(entry.key);
  const at = entry.keyAt;
  // A failed flag has been reported.
  if (entry.value.kind === "map" && flagOf(entry.value, "disabled", { ...base, scope: {} }) !== false) return;
  const place = draftOf(entry, name, base);
  const { model } = place;
  const context: Context = { ...base, route: place.route, scope: { step: model } };
  const add = <S extends OptionsSchema>(
    definition: ElementDefinition<S>,
    take: (options: OptionsOf<S>) => void,
  ): void => {
    const options = readOptions(definition, entry, context);
    if (options !== failed) take(options);
  };
  /** Ids are generated when all explicit ids are known. */
  const identity = {
    at,
    get id() {
      return model.id;
    },
  };
  const identified = <T extends object>(options: T): T & typeof identity =>
    Object.defineProperties({ ...options }, Object.getOwnPropertyDescriptors(identity)) as T & typeof identity;
  if (name === "errorHandler") {
    add(definitions.errorHandler, (options) => {
      const handler = handlerOf(options, at);
      if (handler === undefined) {
        const message = "an errorHandler is one of deadLetterChannel, defaultErrorHandler, noErrorHandler";
        base.report.error("missing_option", message, atKey(entry), context.scope);
      } else if (Object.values(options).filter((kind) => kind !== undefined).length > 1) {
        const message =
          "an errorHandler is of one kind: keep one of deadLetterChannel, defaultErrorHandler, noErrorHandler";
        base.report.error("several_options", message, atKey(entry), context.scope);
      } else found.handler = handler;
    });
  } else if (name === "onException") {
    add(
      definitions.onException,
      ({ exception, redeliveryPolicy, onRedeliveryRef, onExceptionOccurredRef, ...options }) => {
        const exceptions = typeof exception === "string" ? [exception] : exception;
        if (options.handled !== undefined && options.continued !== undefined) {
          const message = "an onException is either handled or continued: keep one";
          base.report.error("several_options", message, atKey(entry), context.scope);
        }
        const { handled, continued, retryWhile, steps, useOriginalBody, useOriginalMessage } = options;
        const hooks = hooksOf({ onRedeliveryRef, onExceptionOccurredRef });
        const says = [handled, continued, retryWhile, redeliveryPolicy, ...Object.values(hooks)].some(
          (part) => part !== undefined,
        );
        if (!says && steps.length === 0 && !useOriginalBody && !useOriginalMessage) {
          const message = "the onException says nothing: give it steps, handled, continued or a redeliveryPolicy";
          base.report.error("missing_option", message, atKey(entry), context.scope);
        }
        found.clauses.push(
          identified({
            exceptions,
            ...defined({ redelivery: redeliveryPolicy }),
            hooks,
            ...options,
          }) as OnExceptionModel,
        );
      },
    );
  } else if (name === "onCompletion") {
    add(definitions.onCompletion, ({ mode, onCompleteOnly, onFailureOnly, onWhen, useOriginalMessage, steps }) => {
      if (onCompleteOnly && onFailureOnly) {
        const message = "onCompleteOnly and onFailureOnly together would never run: keep one";
        base.report.error("several_options", message, atKey(entry), context.scope);
      }
      const on = onCompleteOnly ? "complete" : onFailureOnly ? "failure" : "always";
      const beforeReply = mode === "BeforeConsumer";
      found.onCompletions.push(
        identified({ beforeReply, on, ...defined({ onWhen }), useOriginalMessage, steps }) as OnCompletionModel,
      );
    });
  } else if (name === "intercept") {
    add(definitions.intercept, ({ onWhen, steps }) => {
      found.intercepts.push(identified({ kind: "step", ...defined({ onWhen }), skip: false, steps }));
    });
  } else if (name === "interceptFrom") {
    add(definitions.interceptFrom, ({ uri, onWhen, steps }) => {
      found.intercepts.push(identified({ kind: "from", ...defined({ uri, onWhen }), skip: false, steps }));
    });
  } else {
    add(definitions.interceptSendToEndpoint, ({ uri, onWhen, skipSendToOriginalEndpoint: skip, afterUri, steps }) => {
      found.intercepts.push(
        identified({ kind: "send", uri, ...defined({ onWhen, after: afterUri }), skip, steps }) as InterceptModel,
      );
    });
  }
}

/** Ids of elements follow the rules of step ids, and must be unique among them. */
function draftOf(entry: Entry, name: string, base: Base): StepDraft {
  const route: RouteDraft = { id: "", at: entry.keyAt, nodePrefix: "", fromId: "" };
  const id = entry.value.kind === "map" ? entry.value.entries.find(({ key }) => key === "id")?.value : undefined;
  const written = id?.kind === "scalar" ? (id.text ?? "") : "";
  const draft: StepDraft = {
    model: { type: name, id: written, options: {}, at: entry.keyAt },
    route,
    ...(written !== "" && id !== undefined ? { idAt: id } : {}),
  };
  base.steps.push(draft);
  return draft;
}

function readOptions<S extends OptionsSchema>(
  definition: ElementDefinition<S>,
  entry: Entry,
  context: Context,
): Converted<OptionsOf<S>> {
  const { value } = entry;
  let node: MapNode | undefined = value.kind === "map" ? value : undefined;
  const empty = { kind: "map", entries: [], dropped: [], at: value.at, pointer: value.pointer } as const;
  if (value.kind === "scalar" && value.text === null) node = empty;
  else if (value.kind === "scalar" && definition.short !== undefined) {
    node = { ...empty, entries: [{ key: definition.short, keyAt: value.at, value }] };
  }
  if (node === undefined) {
    const message = `'${definition.name}' is a map of options; found ${describeNode(value)}`;
    context.report.error("wrong_type", message, value, context.scope);
    return failed;
  }
  const schema = context.definitions.schema(definition as unknown as ElementDefinition);
  const owner = { name: `'${definition.name}'`, attributes: commonAttributes };
  const values = context.build.map(schema, node, owner, context, atKey(entry));
  const options = values === failed ? failed : finish(schema, values, node, owner, context);
  return options as Converted<OptionsOf<S>>;
}

type HandlerOptions = OptionsOf<ReturnType<typeof definitions.errorHandler.options>>;

function handlerOf(options: HandlerOptions, at: ErrorHandlerModel["at"]): ErrorHandlerModel | undefined {
  const { deadLetterChannel, defaultErrorHandler, noErrorHandler } = options;
  const quiet = { handlesNewExceptions: false, useOriginalMessage: false, useOriginalBody: false, hooks: {}, at };
  if (deadLetterChannel !== undefined) {
    const { deadLetterUri, deadLetterHandleNewException, useOriginalMessage, useOriginalBody, level } =
      deadLetterChannel;
    const redelivery = withLevel(deadLetterChannel.redeliveryPolicy, level);
    const hooks = hooksOf(deadLetterChannel);
    const own = { handlesNewExceptions: deadLetterHandleNewException, useOriginalMessage, useOriginalBody, hooks, at };
    return { kind: "deadLetter", ...own, deadLetter: deadLetterUri, ...defined({ redelivery }) };
  }
  if (defaultErrorHandler !== undefined) {
    const { useOriginalMessage, useOriginalBody, redeliveryPolicy, level } = defaultErrorHandler;
    const redelivery = withLevel(redeliveryPolicy, level);
    const hooks = hooksOf(defaultErrorHandler);
    return { kind: "default", ...quiet, useOriginalMessage, useOriginalBody, hooks, ...defined({ redelivery }) };
  }
  return noErrorHandler === undefined ? undefined : { kind: "none", ...quiet };
}

interface HookOptions {
  readonly onRedeliveryRef?: ProcessorModel | undefined;
  readonly onExceptionOccurredRef?: ProcessorModel | undefined;
  readonly onPrepareFailureRef?: ProcessorModel | undefined;
}

function hooksOf(options: HookOptions): ErrorHooksModel {
  const { onRedeliveryRef, onExceptionOccurredRef, onPrepareFailureRef } = options;
  return defined({ redelivery: onRedeliveryRef, occurred: onExceptionOccurredRef, prepare: onPrepareFailureRef });
}

/** `level`: the level at which an exhausted failure is logged. */
function withLevel(
  policy: ErrorHandlerModel["redelivery"],
  level: NonNullable<ErrorHandlerModel["redelivery"]>["retriesExhaustedLogLevel"],
): ErrorHandlerModel["redelivery"] {
  return level === undefined ? policy : { retriesExhaustedLogLevel: level, ...policy };
}

/** Returns the members that have a value. */
function defined<T extends object>(members: T): Partial<{ [K in keyof T]: NonNullable<T[K]> }> {
  return Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined)) as never;
}

/** Returns the elements of a route, the document's own before those of its routeConfigurations. */
export function elementsOf(
  own: RouteElements,
  document: RouteElements,
  configurations: readonly RouteElements[],
  anyErrors: boolean,
): Pick<RouteModel, "errors" | "onCompletions" | "intercepts"> {
  const all = [own, document, ...configurations];
  // In Camel a route's own error handler precedes that of its configurations, which precedes the document's.
  const handler = own.handler ?? configurations.find((one) => one.handler !== undefined)?.handler ?? document.handler;
  const clauses = all.flatMap((one) => one.clauses);
  // In Camel those among a route's steps replace all others.
  const outer = own.onCompletions.length > 0 ? [own] : all;
  const onCompletions = outer.flatMap((one) => one.onCompletions);
  const intercepts = all.flatMap((one) => one.intercepts);
  // If another route of the flow handles errors, a route without a handler marks failures as seen.
  const errors: ErrorsModel | undefined =
    handler === undefined && !anyErrors ? undefined : { handler: handler ?? defaultHandler, clauses };
  return {
    ...(errors === undefined ? {} : { errors }),
    ...(onCompletions.length === 0 ? {} : { onCompletions }),
    ...(intercepts.length === 0 ? {} : { intercepts }),
  };
}

const defaultHandler: ErrorHandlerModel = {
  kind: "default",
  handlesNewExceptions: false,
  useOriginalMessage: false,
  useOriginalBody: false,
  hooks: {},
  at: { line: 1, column: 1, endLine: 1, endColumn: 1 },
};
