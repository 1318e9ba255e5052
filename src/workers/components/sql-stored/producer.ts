/** Calls a procedure for each message (Camel: SqlStoredProducer 4.22). */

import type { SqlCall, SqlClient, SqlResult, SqlRow } from "../../connectors/sql-client.ts";
import type { ProducerContext } from "../../engine/component.ts";
import { exceptionMessage, FlowException } from "../../engine/exception.ts";
import type { Exchange } from "../../engine/exchange.ts";
import { textIn } from "../../engine/message-text.ts";
import type { Expression, Processor } from "../../engine/processor.ts";
import { type SqlConnection, statementTime, withClient, withDeadline } from "../database/client.ts";
import { connectionOf, type DatabaseOptions } from "../database/connection.ts";
import { namedValue, parameterValue } from "../database/parameters.ts";
import { statementText } from "../database/statement-text.ts";
import { parseTemplate, type StoredCall, type StoredParameter } from "./template.ts";

export interface StoredOptions extends DatabaseOptions {
  readonly template: string;
  readonly function: boolean;
  readonly noop: boolean;
  readonly outputHeader?: string | undefined;
  readonly useMessageBodyForTemplate: boolean;
}

/** Types of JDBC as PostgreSQL names them, where the names differ or a value needs one. */
const postgresTypes: Readonly<Record<string, string>> = {
  INTEGER: "integer",
  INT: "integer",
  SMALLINT: "smallint",
  BIGINT: "bigint",
  DECIMAL: "numeric",
  NUMERIC: "numeric",
  DOUBLE: "double precision",
  FLOAT: "double precision",
  REAL: "real",
  VARCHAR: "varchar",
  CHAR: "char",
  LONGVARCHAR: "text",
  BOOLEAN: "boolean",
  BIT: "boolean",
  DATE: "date",
  TIME: "time",
  TIMESTAMP: "timestamp",
  BINARY: "bytea",
  VARBINARY: "bytea",
};

/** Throws an Error that names the fault of the endpoint. */
export function storedProducer(options: StoredOptions, context: ProducerContext): Processor {
  const { limits } = context;
  const connection: SqlConnection = connectionOf(options, context);
  const expressions = new Map<string, Expression>();
  const simple = (text: string): Expression => {
    const known = expressions.get(text) ?? context.expression("simple", text);
    expressions.set(text, known);
    return known;
  };
  const own = options.useMessageBodyForTemplate ? undefined : parseTemplate(statementText(options.template, context));
  for (const { value } of own?.parameters ?? []) if (value?.includes("{") === true) simple(value.replace(/^:#/, ""));
  const maxBytes = Math.min(limits.outboundResponseBytes, limits.messageBodyBytes);
  const time = statementTime("", 0, limits);
  return async (exchange) => {
    const { message } = exchange;
    const call = own ?? brought(textIn(exchange, message.body));
    const values = call.parameters.map((parameter) => argumentOf(parameter, exchange, options, simple));
    const result = await withDeadline(exchange, time, (signal) =>
      withClient(connection, exchange, signal, (client) =>
        run(client, call, values, options.function, { signal, maxBytes }),
      ),
    );
    message.headers.set("CamelSqlStoredUpdateCount", result.updated);
    if (options.outputHeader !== undefined) message.headers.set(options.outputHeader, result.row);
    else if (!options.noop) message.body = result.row;
  };
}

function brought(text: string): StoredCall {
  try {
    return parseTemplate(text);
  } catch (error) {
    throw new FlowException("java.lang.IllegalArgumentException", exceptionMessage(error));
  }
}

function argumentOf(
  { value, type }: StoredParameter,
  exchange: Exchange,
  { useMessageBodyForTemplate }: StoredOptions,
  simple: (text: string) => Expression,
): unknown {
  if (value === undefined) return null;
  if (value.startsWith("'")) return value.slice(1, -1).replaceAll("''", "'");
  if (/^-?\d/.test(value)) return /INT|DECIMAL|NUMERIC/.test(type) ? value : Number(value);
  const text = value.replace(/^:#/, "");
  if (text.startsWith("$")) return parameterValue(simple(text)(exchange));
  const { message } = exchange;
  const body = useMessageBodyForTemplate ? message.headers.get("CamelSqlStoredParameters") : message.body;
  return parameterValue(namedValue(text, { exchange, value: body }));
}

interface Returned {
  readonly row: SqlRow;
  readonly updated: number;
}

function run(
  client: SqlClient,
  call: StoredCall,
  values: readonly unknown[],
  isFunction: boolean,
  sqlCall: SqlCall,
): Promise<Returned> {
  if (client.dialect.name === "postgres") return onPostgres(client, call, values, isFunction, sqlCall);
  if (client.dialect.name === "mysql") return onMysql(client, call, values, isFunction, sqlCall);
  throw new FlowException(
    "java.lang.UnsupportedOperationException",
    "this database has no procedures: write the statements with sql",
  );
}

async function onPostgres(
  client: SqlClient,
  { procedure, parameters }: StoredCall,
  values: readonly unknown[],
  isFunction: boolean,
  call: SqlCall,
): Promise<Returned> {
  const given: unknown[] = [];
  const marks = parameters.flatMap(({ mode, type }, index) => {
    // A function does not take what it returns, a procedure takes a place for it.
    if (mode === "out") return isFunction ? [] : ["null"];
    given.push(values[index]);
    const cast = postgresTypes[type];
    return [`$${given.length}${cast === undefined ? "" : `::${cast}`}`];
  });
  const text = isFunction ? `select * from ${procedure}(${marks})` : `call ${procedure}(${marks})`;
  const { rows = [], columns = [], count } = await client.run({ text, values: given }, call);
  const [row = {}] = rows;
  const names = parameters.filter(({ mode }) => mode !== "in").map(({ name }) => name as string);
  const found = columns.map(({ name }) => row[name] ?? null);
  return {
    row: Object.fromEntries(names.map((name, index) => [name, found[index] ?? null])),
    updated: rows.length > 0 ? 0 : count,
  };
}

async function onMysql(
  client: SqlClient,
  { procedure, parameters }: StoredCall,
  values: readonly unknown[],
  isFunction: boolean,
  call: SqlCall,
): Promise<Returned> {
  const back = parameters.map(({ mode, name }, index) => (mode === "in" ? undefined : { name: name as string, index }));
  const outs = back.filter((one) => one !== undefined);
  if (isFunction) {
    const given = values.filter((_, index) => parameters[index]?.mode === "in");
    const text = `select ${procedure}(${given.map(() => "?")}) as returned`;
    const { rows = [] } = await client.run({ text, values: given }, call);
    return { row: { [outs[0]?.name ?? "result"]: rows[0]?.["returned"] ?? null }, updated: 0 };
  }
  const both = parameters.flatMap(({ mode }, index) => (mode === "inout" ? [index] : []));
  for (const index of both) await client.run({ text: `set @bulkhead_${index} = ?`, values: [values[index]] }, call);
  const marks = parameters.map(({ mode }, index) => (mode === "in" ? "?" : `@bulkhead_${index}`));
  const given = values.filter((_, index) => parameters[index]?.mode === "in");
  const called = await client.run({ text: `call ${procedure}(${marks})`, values: given }, call);
  const named: Record<string, unknown> = {};
  if (outs.length > 0) {
    const text = `select ${outs.map(({ index }) => `@bulkhead_${index} as p${index}`)}`;
    const { rows = [] } = await client.run({ text, values: [] }, call);
    for (const { name, index } of outs) named[name] = rows[0]?.[`p${index}`] ?? null;
  }
  return { row: { ...resultSets(called), ...named }, updated: called.count };
}

/** Further results of a procedure have the names that Spring gives them. */
function resultSets(called: SqlResult): SqlRow {
  const sets = [called, ...(called.more ?? [])].flatMap(({ rows }) => (rows === undefined ? [] : [rows]));
  return Object.fromEntries(sets.map((rows, index) => [`#result-set-${index + 1}`, rows]));
}
