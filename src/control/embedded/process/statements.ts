/** The statements of one connection: prepared once, judged, and each of them one statement whose parameters all have values. */
import type { DatabaseSync, StatementSync } from "node:sqlite";
import { RequestFailure } from "./failure.ts";
import type { Rules, StatementKind } from "./rules.ts";

export interface Prepared extends StatementKind {
  readonly statement: StatementSync;
  /** Name, table and column of each column of its rows; empty: it yields none. */
  readonly columns: readonly (string | null)[];
  /** How many columns its rows have. */
  readonly width: number;
  /** How many values it needs. */
  readonly parameters: number;
}

/** Longer texts are prepared anew each time. */
const longestKept = 8 * 1024;
const mostKept = 64;

export class Statements {
  readonly #database: DatabaseSync;
  readonly #rules: Rules;
  /** In the order of their last uses. */
  readonly #kept = new Map<string, Prepared>();

  constructor(database: DatabaseSync, rules: Rules) {
    this.#database = database;
    this.#rules = rules;
  }

  /** Returns a statement that nobody else uses until the next call. Throws SQLite's errors and RequestFailure. */
  get(text: string): Prepared {
    const known = this.#kept.get(text);
    const prepared = known ?? this.prepare(text);
    if (text.length > longestKept) return prepared;
    this.#kept.delete(text);
    this.#kept.set(text, prepared);
    if (this.#kept.size > mostKept) this.#kept.delete(this.#kept.keys().next().value as string);
    return prepared;
  }

  /** Returns a new statement, whose rows may be read while others run. */
  prepare(text: string): Prepared {
    this.#rules.begin();
    const statement = this.#database.prepare(text);
    const { kind } = this.#rules;
    if (!isBlank(text.slice(statement.sourceSQL.length)))
      throw new RequestFailure("a query is one statement: write a step for each", "42000");
    const found = statement.columns();
    return {
      statement,
      ...kind,
      columns: found.flatMap(({ name, table, column }) => [name, table, column]),
      width: found.length,
      parameters: this.#parametersOf(text),
    };
  }

  /** SQLite takes a parameter without a value for null; its program names all parameters. */
  #parametersOf(text: string): number {
    if (!/[?:@$]/.test(text) || /^\s*explain\b/i.test(text)) return 0;
    const program = this.#database.prepare(`explain ${text}`).all() as unknown as bigint[][];
    const numbers = program.flatMap(([, opcode, parameter]) =>
      String(opcode) === "Variable" ? [Number(parameter)] : [],
    );
    return Math.max(0, ...numbers);
  }
}

/** Whether the text behind a statement has nothing but blanks, comments and semicolons. */
function isBlank(rest: string): boolean {
  return /^(?:[\s;]|--[^\n]*(?:\n|$)|\/\*(?:[^*]|\*(?!\/))*(?:\*\/|$))*$/.test(rest);
}
