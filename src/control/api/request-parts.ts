/** Reads the parts of a request by their schemas: ids in the path, query and body. A refusal is an AppError that names all problems. */
import type { FastifySchemaCompiler } from "fastify";
import * as z from "zod";
import { AppError, type ErrorCode } from "../../shared/errors.ts";
import { listProblems } from "../../shared/problems.ts";
import { didYouMean, listed } from "../../shared/suggest.ts";

interface Part {
  readonly code: ErrorCode;
  /** Describes what a problem is about; undefined: its message says so itself. */
  subject(field: string): string | undefined;
  /** What an entry is called that the schema does not have. */
  readonly entry: string;
}

const parts: Readonly<Record<string, Part>> = {
  params: { code: "bad_id", subject: () => undefined, entry: "parameter of the path" },
  querystring: { code: "bad_query", subject: (name) => `the query parameter ${quote(name)}`, entry: "query parameter" },
  body: {
    code: "bad_request",
    subject: (field) => (field === "" ? "the body" : `the body's field ${quote(field)}`),
    entry: "field",
  },
};

/** Compiles a part's schema for the router. */
export const partCompiler: FastifySchemaCompiler<z.ZodType> = ({ schema, httpPart = "" }) => {
  const part = parts[httpPart];
  if (part === undefined) throw new Error(`no request has a part '${httpPart}'`);
  const options = { error: messagesOf(part) };
  return (sent: unknown) => {
    const read = schema.safeParse(sent, options);
    return read.success ? { value: read.data } : { error: refusal(part, read.error.issues) };
  };
};

/** Reads a body that the router has not parsed. Throws what `partCompiler` refuses with. */
export function readPart<Schema extends z.ZodType>(schema: Schema, sent: unknown): z.output<Schema> {
  const part = parts["body"] as Part;
  const read = schema.safeParse(sent, { error: messagesOf(part) });
  if (read.success) return read.data;
  throw refusal(part, read.error.issues);
}

function refusal(part: Part, issues: readonly z.core.$ZodIssue[]): AppError {
  const problems = issues.map(({ code, path, message }) => {
    const subject = code === "unrecognized_keys" ? undefined : part.subject(path.join("/"));
    return subject === undefined ? message : `${subject} ${message}`;
  });
  return new AppError(part.code, listProblems(problems));
}

/** Messages for what a schema has none of its own for. */
function messagesOf({ entry }: Part): z.core.$ZodErrorMap {
  return (issue) => {
    switch (issue.code) {
      case "invalid_type":
        return issue.input === undefined
          ? "is missing"
          : `must be ${nounOf(issue.expected)}, not ${nounOf(z.util.parsedType(issue.input))}`;
      case "unrecognized_keys":
        return unknownEntries(
          entry,
          issue.keys,
          issue.inst instanceof z.ZodObject ? Object.keys(issue.inst.shape) : [],
        );
      default:
        return "is not valid";
    }
  };
}

/** Names of types, where they are not a noun without an article. */
const nouns: Readonly<Record<string, string>> = {
  string: "a string",
  number: "a number",
  boolean: "a boolean",
  array: "an array",
  object: "an object",
};

function nounOf(type: string): string {
  return nouns[type] ?? type;
}

const mostNamed = 10;

function unknownEntries(entry: string, names: readonly string[], known: readonly string[]): string {
  const hints = names.slice(0, mostNamed).map((name) => ({ name, hint: didYouMean(name, known) }));
  const named = hints.map(({ name, hint }) => quote(name) + hint).join(", ");
  const others = names.length > mostNamed ? `, and ${names.length - mostNamed} more` : "";
  const there = known.length > 0 && hints.some(({ hint }) => hint === "") ? `; known here are ${listed(known)}` : "";
  return `unknown ${entry} ${named}${others}${there}`;
}

function quote(name: string): string {
  return `'${name.slice(0, 100)}'`;
}
