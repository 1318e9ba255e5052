/** The subjects of a group's database: their tables, and one object of each for an open file. */
import { Aggregations, aggregationTables } from "./aggregations.ts";
import { FailedMessages, failedTables } from "./failed-messages.ts";
import type { Tables } from "./group-database.ts";
import { KeyRows, keyColumns, keyTables } from "./key-rows.ts";
import { Keys } from "./keys.ts";
import { operationTable, type Subjects } from "./operations.ts";
import { Owners } from "./owners.ts";
import { Repositories, repositoryColumns, repositoryTables } from "./repositories.ts";
import type { Implemented, Subject } from "./subject.ts";
import type { SubjectParts } from "./subject-parts.ts";
import { Values } from "./values.ts";
import type { Request } from "./wire.ts";

export const tables: Tables = {
  make: [...repositoryTables, ...keyTables, ...failedTables, ...aggregationTables],
  added: [...repositoryColumns, ...keyColumns],
};

export interface OpenSubjects {
  readonly operations: { readonly [S in keyof Subjects]: Implemented<Subjects[S]> };
  readonly repositories: Repositories;
  /** Those that take part in transactions. */
  readonly each: readonly Subject[];
}

export function openSubjects(parts: Omit<SubjectParts, "repositories">): OpenSubjects {
  const repositories = new Repositories(parts.database);
  const all = { ...parts, repositories };
  const rows = new KeyRows(all);
  const keys = new Keys({ ...all, rows });
  const values = new Values({ ...all, rows });
  const failed = new FailedMessages(all);
  const groups = new Aggregations({ ...all, failedMessages: failed });
  const each = [keys, failed, repositories];
  const owners = new Owners(repositories, each);
  return { operations: { keys, values, repositories, owners, failed, groups }, repositories, each };
}

type Run = (owner: Request["owner"], ...args: readonly unknown[]) => unknown;

/** Runs a request's operation, `subject.operation`. */
export function runOperation(subjects: OpenSubjects, { operation, owner, args }: Request): unknown {
  const [subject, name] = operation.split(".") as [keyof Subjects, string];
  const one = subjects.operations[subject] as unknown as Readonly<Record<string, Run>>;
  return one[name]?.(owner, ...args);
}

const effects: ReadonlyMap<string, string> = new Map(
  Object.entries(operationTable).flatMap(([subject, operations]) =>
    Object.entries(operations).map(([name, effect]) => [`${subject}.${name}`, effect] as const),
  ),
);

/** Whether an operation changes the database. */
export function writes(operation: string): boolean {
  return effects.get(operation) !== "reads";
}

/** Whether nothing of what an operation has removed may stay in the file. */
export function erases(operation: string): boolean {
  return effects.get(operation) === "erases";
}
