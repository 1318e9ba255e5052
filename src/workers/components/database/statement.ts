/** A statement of an endpoint or a message, parsed once for each dialect. */
import type { SqlDialect, SqlStatement } from "../../connectors/sql-client.ts";
import { FlowException } from "../../engine/exception.ts";
import type { Expression } from "../../engine/processor.ts";
import { type ParameterSource, Parameters } from "./parameters.ts";
import { parseQuery, type QueryForm, shown } from "./query.ts";

export interface StatementForm extends Omit<QueryForm, "dialect"> {
  readonly separator: string;
  /** Compiles an expression in simple. Throws ExpressionSyntaxError. */
  readonly simple: (text: string) => Expression;
}

/** For a statement that is only checked. */
const anyDialect = { name: "postgres", backslashes: false, dollarQuotes: true } as const;

/** Statements that end or begin transactions would do so in the middle of those of others. */
const ofTransactions =
  /^\s*(?:begin|start\s+transaction|commit|rollback|end|abort|savepoint|release|set\s+autocommit|set\s+(?:@@)?(?:session\s+)?autocommit|lock\s+tables|unlock\s+tables)\b/i;

export class Statement {
  readonly text: string;
  readonly #form: StatementForm;
  readonly #parsed = new Map<string, Parameters>();

  /** Throws an Error that names the fault of the text, and ExpressionSyntaxError. */
  constructor(text: string, form: StatementForm) {
    this.text = text.trim();
    this.#form = form;
    if (this.text === "") throw new Error("a statement is missing");
    if (ofTransactions.test(this.text))
      throw new Error(
        `'${shown(this.text)}' would begin or end a transaction of its own: write the step transacted around the steps that belong together`,
      );
    this.in(anyDialect);
  }

  in({ name, backslashes, dollarQuotes }: Pick<SqlDialect, "name" | "backslashes" | "dollarQuotes">): Parameters {
    let parsed = this.#parsed.get(name);
    if (parsed === undefined) {
      const { placeholder, names, marks, separator, simple } = this.#form;
      const dialect = { name, backslashes, dollarQuotes };
      parsed = new Parameters(parseQuery(this.text, { placeholder, names, marks, dialect }), { separator, simple });
      this.#parsed.set(name, parsed);
    }
    return parsed;
  }

  /** Throws a FlowException for values that are missing. */
  bind(source: ParameterSource, dialect: SqlDialect): SqlStatement {
    return this.in(dialect).bind(source, dialect);
  }
}

/** The most statements that an endpoint keeps parsed, of those that messages bring. */
const kept = 100;

/** Statements that messages bring. */
export class BroughtStatements {
  readonly #form: StatementForm;
  readonly #statements = new Map<string, Statement>();

  constructor(form: StatementForm) {
    this.#form = form;
  }

  /** Throws IllegalArgumentException for a text that is no statement. */
  of(text: string): Statement {
    const known = this.#statements.get(text);
    if (known !== undefined) return known;
    let statement: Statement;
    try {
      statement = new Statement(text, this.#form);
    } catch (error) {
      if (error instanceof FlowException) throw error;
      throw new FlowException(
        "java.lang.IllegalArgumentException",
        error instanceof Error ? error.message : String(error),
      );
    }
    if (this.#statements.size >= kept) this.#statements.delete(this.#statements.keys().next().value as string);
    this.#statements.set(text, statement);
    return statement;
  }
}
