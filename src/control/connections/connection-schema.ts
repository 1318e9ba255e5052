/** The JSON Schema of connections' documents, made of the reader's fields and the table of kinds. Only the OpenAPI document has it made. */
import * as z from "zod";
import {
  type ConnectionKind,
  longestServer,
  type OptionField,
  optionCharacters,
} from "../../shared/connections/kind.ts";
import { connectionKinds } from "../../shared/connections/kinds.ts";
import { serverGrammar } from "../../shared/connections/servers.ts";
import { documentSchema, fieldWords } from "./connection-document.ts";

type Properties = Readonly<Record<string, object | boolean>>;

const { host, server, address, pattern } = serverGrammar(z.regexes.ipv6.source.slice(1, -1));
const hostText = { type: "string", pattern: server, maxLength: 253 };

/** Returns the schema of the documents of each kind. */
export function connectionKindSchemas(): readonly object[] {
  const { properties = {} } = z.toJSONSchema(documentSchema, { io: "output", unrepresentable: "any" });
  const read: Properties = {
    ...properties,
    servers: { ...(properties["servers"] as object), items: hostText },
    host: hostText,
    alsoServers: { ...(properties["alsoServers"] as object), items: { type: "string", pattern } },
  };
  return connectionKinds.map((kind) => schemaOf(kind, read));
}

function schemaOf(kind: ConnectionKind, read: Properties): object {
  const ofServers = kind.port === undefined ? [] : (["servers", "host", "port", "alsoServers"] as const);
  const names = [...ofServers, ...kind.fields, "maxConnections", "default", "flows"] as const;
  const { properties: narrower = {}, dependentRequired, dependentSchemas } = kind.schema ?? {};
  const properties = names.map((name) => [
    name,
    { ...(read[name] as object), description: fieldWords[name], ...narrower[name] },
  ]);
  const listed = ofServers.length === 0 ? undefined : kind.isOpen === true ? openServers : servers;
  return {
    type: "object",
    title: kind.title,
    description: kind.docs,
    properties: {
      kind: { const: kind.name },
      ...Object.fromEntries(properties),
      options: { ...objectOf(kind.options), description: fieldWords.options },
    },
    required: ["kind", ...kind.required],
    additionalProperties: false,
    ...listed,
    ...(dependentRequired && { dependentRequired }),
    ...((listed !== undefined || dependentSchemas !== undefined) && {
      dependentSchemas: { ...listed?.dependentSchemas, ...dependentSchemas },
    }),
  };
}

const without = (...names: readonly string[]): object => ({
  not: { anyOf: names.map((name) => ({ required: [name] })) },
});

/** Either the servers, or one host with its port in either place. */
const servers = {
  oneOf: [
    { required: ["servers"], ...without("host", "port") },
    { required: ["host"], ...without("servers") },
  ],
  dependentSchemas: { port: { properties: { host: { pattern: host } } } },
};

/** One that may be without servers, too. */
const openServers = { ...servers, oneOf: [...servers.oneOf, without("servers", "host", "port")] };

function objectOf(options: Readonly<Record<string, OptionField>>): object {
  const properties = Object.entries(options).map(([name, field]) => [
    name,
    { ...typeOf(field), description: wordsOf(field) },
  ]);
  return { type: "object", properties: Object.fromEntries(properties), additionalProperties: false };
}

/** Not as `default`, of which generators of types make a field that is always there. */
function wordsOf(field: OptionField): string {
  return field.default === undefined ? field.words : `${field.words} Left out: ${field.default}.`;
}

function typeOf(field: OptionField): object {
  switch (field.type) {
    case "flag":
      return { type: "boolean" };
    case "whole":
      return { type: "integer", minimum: field.least, maximum: field.most };
    case "server":
      return { type: "string", pattern: address, maxLength: longestServer };
    case "text":
      if (field.values !== undefined) return { type: "string", enum: field.values };
      return { type: "string", minLength: 1, maxLength: field.most ?? optionCharacters };
  }
}
