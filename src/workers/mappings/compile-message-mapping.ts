/** Compiles a checked mapping: its rules to functions, its schema to a validator. */
import { howToRaise, type Limits } from "../../shared/limits.ts";
import type { JsonSchema, MappingFormat, MessageMappingModel } from "../../shared/mapping-models.ts";
import { asText } from "../engine/convert.ts";
import { exceptionType, FlowException } from "../engine/exception.ts";
import { jsonNode } from "../engine/json-node.ts";
import { XmlNode } from "../engine/xml-value.ts";
import { writeXmlForm } from "../formats/xml-form-writer.ts";
import { xmlFormReader, xmlLibrary } from "../formats/xml-reader.ts";
import { Budget } from "../languages/budget.ts";
import { parsedInput } from "../languages/input.ts";
import { type Bounds, garbage, guardedJsonata, maxDepth } from "../languages/jsonata/evaluator.ts";
import type { Variables } from "../languages/jsonata/fast/closure.ts";
import type { Session } from "../languages/jsonata/session.ts";
import { compileSchema, type Invalid } from "./json-schema.ts";
import type { RuleError } from "./mapping-failure.ts";
import { allRules, type CompiledRule, compileRules, expressionsOf } from "./message-rules.ts";
import { RuleRun, type RunOptions } from "./run-rules.ts";
import { withLists } from "./schema-lists.ts";

export interface MappingRun {
  /** The body as it was received. */
  readonly body: unknown;
  /** The variables besides the body; only those that `variables` names are read. */
  readonly around: Omit<Variables, "body" | "root" | "index" | "parent" | "now" | "millis">;
  readonly session: Omit<Session, "budget" | "now"> & { readonly now?: number };
  readonly observe?: RunOptions["observe"];
  /** Replaces the mapping's own setting. */
  readonly onError?: RunOptions["onError"];
}

export interface Mapped {
  /** The result as data; for an XML target in the form of `xmlFormReader`. */
  readonly value: unknown;
  /** Failures of rules, with onError `null` and `collect`. */
  readonly errors: readonly RuleError[];
  /** The places where the value does not fit the schema. */
  readonly invalid: readonly Invalid[];
}

export interface CompiledMapping {
  readonly model: MessageMappingModel;
  readonly rules: readonly CompiledRule[];
  /** Names of the variables in its expressions. */
  readonly variables: ReadonlySet<string>;
  /**
   * Applies the rules. A value that does not fit the schema is reported in `invalid`, not thrown. Throws FlowException
   * that names the mapping, and the failed rule with its target.
   */
  run(run: MappingRun): Mapped;
  /** Serializes the result to the new body, a text or a value. Throws FlowException. */
  write(mapped: Mapped): unknown;
}

/**
 * Throws NotLoaded, and ExpressionSyntaxError for a fault that the check did not find. `interpret`: does not make
 * closures.
 */
export function compileMessageMapping(
  id: string,
  model: MessageMappingModel,
  limits: Limits,
  interpret = false,
): CompiledMapping {
  const bounds = boundsOf(model, limits);
  const rules = compileRules(model.rules, bounds, interpret);
  const { schema } = model.target;
  const validate = schema === undefined || model.target.validate === "off" ? undefined : compileSchema(copyOf(schema));
  const { clock } = guardedJsonata();
  if (model.source.format === "xml") xmlLibrary.module();
  const timed = timeOf(model, limits);
  return {
    model,
    rules,
    variables: new Set(
      allRules(rules).flatMap((rule) => expressionsOf(rule).flatMap(({ variables }) => [...variables])),
    ),
    run({ body, around, session: own, observe, onError = model.onError }) {
      return named(id, () => {
        if (model.notUnderstood !== undefined) {
          const message = `its document was not understood, so there are no rules: ${model.notUnderstood}`;
          throw new FlowException("MessageMappingException", message);
        }
        const input = readSource(body, model.source.format, limits);
        const budget = new Budget(timed.limits, "jsonata", garbage, timed.more);
        const session = { now: Date.now(), ...own, budget };
        const variables = { ...around, ...clock, body: input, root: input };
        const { onMissing } = model;
        const run = new RuleRun({ mapping: id, onMissing, onError, bounds, observe });
        const result = run.run(rules, { context: input, input, variables, session }) ?? emptyResult(model);
        const value = schema === undefined ? result : withLists(result, schema);
        return {
          value,
          errors: run.errors,
          invalid: validate?.(value, new Budget(timed.limits, "JSON Schema", 1, timed.more)) ?? [],
        };
      });
    },
    write: ({ value }) =>
      named(id, () =>
        model.target.format === "xml"
          ? writeXmlForm(value, limits.messageBodyBytes)
          : jsonNode(value, limits.messageBodyBytes),
      ),
  };
}

function boundsOf({ limits: own }: MessageMappingModel, { messageBodyBytes }: Limits): Required<Bounds> {
  const depth = Math.min(own.maxDepth ?? maxDepth, maxDepth);
  const most = Math.floor(messageBodyBytes / 8);
  if (own.maxSequence === undefined || own.maxSequence >= most) {
    return { depth, sequence: most, moreElements: howToRaise("messageBodyBytes") };
  }
  return { depth, sequence: own.maxSequence, moreElements: "raise 'maxSequence' in the mapping's limits" };
}

function timeOf({ limits: { timeoutMs } }: MessageMappingModel, limits: Limits) {
  if (timeoutMs === undefined || timeoutMs >= limits.scriptMs) return { limits, more: howToRaise("scriptMs") };
  return { limits: { ...limits, scriptMs: timeoutMs }, more: "raise 'timeoutMs' in the mapping's limits" };
}

/** The result when no rule has set a value: null if a rule targets the whole result, else an empty object. */
function emptyResult({ rules }: MessageMappingModel): unknown {
  return rules.some(({ target }) => target.length === 0) ? null : {};
}

/** The library writes marks into the schemas that it reads, so it gets a copy. */
function copyOf(schema: JsonSchema): JsonSchema {
  return structuredClone(schema);
}

function named<T>(id: string, work: () => T): T {
  try {
    return work();
  } catch (error) {
    if (error instanceof RangeError) {
      throw new FlowException("LimitExceededException", `mapping '${id}': the message nests too deep`, {
        cause: error,
      });
    }
    if (!(error instanceof FlowException) || error.message.startsWith(`mapping '${id}'`)) throw error;
    throw new FlowException(exceptionType(error), `mapping '${id}': ${error.message}`, { cause: error });
  }
}

export const malformed = "com.fasterxml.jackson.core.JsonParseException";

/**
 * Parses text and bytes; other values are used unchanged. Whole numbers beyond 2^53 become bigints. Throws
 * FlowException for a body that is not in the format.
 */
export function readSource(body: unknown, format: MappingFormat, limits: Limits): unknown {
  return format === "xml" ? readXml(body, limits) : parsedInput(body, malformed);
}

export function notXml(why: string): FlowException {
  return new FlowException(malformed, `the input is not XML: ${why}`);
}

function readXml(body: unknown, { messageBodyBytes }: Limits): unknown {
  if (typeof body !== "string" && !(body instanceof Uint8Array) && !(body instanceof XmlNode)) {
    const value = parsedInput(body, malformed);
    if (typeof value === "object" && value !== null && !Array.isArray(value)) return value;
    throw notXml("its source format is xml, so the body is a text");
  }
  const bounds = { maxString: messageBodyBytes, maxMarks: Math.floor(messageBodyBytes / 8) };
  return xmlFormReader(xmlLibrary.module(), bounds)(asText(body).replace(/^\ufeff/, ""));
}
