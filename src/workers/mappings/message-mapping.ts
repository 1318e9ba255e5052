/** Applies a message mapping to the exchange of a run. */

import type { Limits } from "../../shared/limits.ts";
import { readModel } from "../../shared/mapping-models.ts";
import { FlowException } from "../engine/exception.ts";
import type { Exchange } from "../engine/exchange.ts";
import type { MessageMapping } from "../engine/mappings.ts";
import { jsonTextOf, xmlTextOf } from "../engine/message-text.ts";
import { bindings } from "../languages/jsonata/session.ts";
import {
  type CompiledMapping,
  compileMessageMapping,
  type Mapped,
  malformed,
  notXml,
} from "./compile-message-mapping.ts";
import type { Invalid } from "./json-schema.ts";

/**
 * Exchange property with onError `null` or `collect`: the failures as a list of `{rule, target, message}`; absent
 * without failures.
 */
export const errorsProperty = "mappingErrors";
/**
 * Exchange property with validate `warn`: the places where the result does not fit, as a list of `{path, message}`;
 * absent when it fits.
 */
export const invalidProperty = "mappingInvalid";

/**
 * `data`: a MessageMappingModel as JSON. It is compiled for the first message, since runs never use many of a flow's
 * mappings.
 */
export function messageMapping(
  id: string,
  data: Uint8Array,
  params: Readonly<Record<string, string>> = {},
): MessageMapping<Exchange> {
  let compiled: CompiledMapping | undefined;
  const ready = (limits: Limits): CompiledMapping => {
    compiled ??= compileMessageMapping(id, readModel(data), limits);
    return compiled;
  };
  return {
    map(exchange) {
      const mapping = ready(exchange.run.limits);
      const values = (mappingId: string) => exchange.run.mappings.value(mappingId);
      const around = surroundings(exchange, mapping.variables, params);
      const body = sourceOf(exchange, mapping.model.source.format);
      const mapped = mapping.run({ body, around, session: { values } });
      const { validate } = mapping.model.target;
      if (validate === "fail") insist(id, mapped);
      note(exchange, errorsProperty, mapped.errors);
      note(exchange, invalidProperty, mapped.invalid);
      if (mapped.invalid.length > 0) warn(exchange, `mapping '${id}': ${misfit(mapped.invalid)}`);
      return mapping.write(mapped);
    },
  };
}

/** Returns the body, bytes as the text of a document in the source's format. */
function sourceOf(exchange: Exchange, format: CompiledMapping["model"]["source"]["format"]): unknown {
  const { body } = exchange.message;
  if (!(body instanceof Uint8Array)) return body;
  return format === "xml" ? xmlTextOf(exchange, body, notXml) : jsonTextOf(exchange, body, malformed);
}

/** Throws JsonValidationException where the result does not fit its schema. */
export function insist(id: string, { invalid }: Pick<Mapped, "invalid">): void {
  if (invalid.length === 0) return;
  const type = "org.apache.camel.component.jsonvalidator.JsonValidationException";
  throw new FlowException(type, `mapping '${id}': ${misfit(invalid)}`);
}

function misfit(invalid: readonly Invalid[]): string {
  return `the result does not fit the schema: ${invalid.map(({ path, message }) => `${path || "/"}: ${message}`).join("; ")}`;
}

/** Reads only what an expression names. */
function surroundings(
  exchange: Exchange,
  names: ReadonlySet<string>,
  params: Readonly<Record<string, string>>,
): Parameters<CompiledMapping["run"]>[0]["around"] {
  return {
    headers: names.has("headers") ? bindings(exchange.message.headers.entries()) : undefined,
    properties: names.has("properties") ? bindings(exchange.properties) : undefined,
    variables: names.has("variables") ? bindings(exchange.variables) : undefined,
    params,
  };
}

function note(exchange: Exchange, name: string, list: readonly object[]): void {
  if (list.length > 0) exchange.properties.set(name, list);
  else exchange.properties.delete(name);
}

function warn({ run, step }: Exchange, message: string): void {
  if (run.logs("WARN")) run.log(step, "WARN", "", message);
}
