/** Failures of databases under the class names by which Camel's users know them (Spring: SQLErrorCodeSQLExceptionTranslator). */
import { FlowException } from "../engine/exception.ts";

export interface DatabaseFailure {
  readonly message: string;
  /** Five characters of the SQL standard; undefined: the failure is not the database's. */
  readonly state: string | undefined;
  /** The database's own number. */
  readonly code?: number | undefined;
  readonly cause?: unknown;
  /** The class, where the state does not give it. */
  readonly type?: string | undefined;
}

/** Classes by SQL state; the longest prefix counts. */
const byState: Readonly<Record<string, string>> = {
  "01": "org.springframework.dao.DataIntegrityViolationException",
  "02": "org.springframework.dao.DataIntegrityViolationException",
  "07": "org.springframework.jdbc.BadSqlGrammarException",
  "08": "org.springframework.dao.DataAccessResourceFailureException",
  "21": "org.springframework.jdbc.BadSqlGrammarException",
  "22": "org.springframework.dao.DataIntegrityViolationException",
  "23": "org.springframework.dao.DataIntegrityViolationException",
  "23505": "org.springframework.dao.DuplicateKeyException",
  "28": "org.springframework.dao.PermissionDeniedDataAccessException",
  "2A": "org.springframework.jdbc.BadSqlGrammarException",
  "37": "org.springframework.jdbc.BadSqlGrammarException",
  "3D": "org.springframework.jdbc.BadSqlGrammarException",
  "40": "org.springframework.dao.ConcurrencyFailureException",
  "40001": "org.springframework.dao.CannotAcquireLockException",
  "40P01": "org.springframework.dao.CannotAcquireLockException",
  "42": "org.springframework.jdbc.BadSqlGrammarException",
  "42501": "org.springframework.dao.PermissionDeniedDataAccessException",
  "53": "org.springframework.dao.DataAccessResourceFailureException",
  "54": "org.springframework.dao.DataAccessResourceFailureException",
  "55P03": "org.springframework.dao.CannotAcquireLockException",
  "57": "org.springframework.dao.DataAccessResourceFailureException",
  "57014": "org.springframework.dao.QueryTimeoutException",
  "58": "org.springframework.dao.DataAccessResourceFailureException",
};

/** As in Java, the cause is a SQLException with `SQLState` and `errorCode`, which `onException` finds, too. */
export function sqlFailure({ message, state, code = 0, cause, type }: DatabaseFailure): FlowException {
  const details = { SQLState: state ?? null, errorCode: code };
  const inner = new FlowException("java.sql.SQLException", message, { cause, details });
  return new FlowException(type ?? classOf(state), message, { cause: inner, details });
}

function classOf(state: string | undefined): string {
  if (state === undefined) return "org.springframework.dao.DataAccessResourceFailureException";
  for (let length = state.length; length >= 2; length--) {
    const name = byState[state.slice(0, length)];
    if (name !== undefined) return name;
  }
  return "org.springframework.jdbc.UncategorizedSQLException";
}

/** A connection could not be opened. */
export function connectFailure(message: string, cause: unknown): FlowException {
  return new FlowException("org.springframework.jdbc.CannotGetJdbcConnectionException", message, { cause });
}
