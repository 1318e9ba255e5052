/** Failures of MySQL and MariaDB under Camel's class names. */
import { FlowException } from "../../engine/exception.ts";
import { sqlFailure } from "../sql-failure.ts";

/** Classes by the server's numbers, where the SQL state says less. */
const byNumber: Readonly<Record<number, string>> = {
  1062: "org.springframework.dao.DuplicateKeyException",
  1205: "org.springframework.dao.CannotAcquireLockException",
  1213: "org.springframework.dao.CannotAcquireLockException",
  1317: "org.springframework.dao.QueryTimeoutException",
  1969: "org.springframework.dao.QueryTimeoutException",
  3024: "org.springframework.dao.QueryTimeoutException",
};

export function failureOf(error: unknown): FlowException {
  if (error instanceof FlowException) return error;
  const { message, errno, sqlState } = error as { message: string; errno?: number; sqlState?: string };
  const ofServer = sqlState !== undefined && sqlState !== "";
  const type = ofServer ? byNumber[errno ?? 0] : undefined;
  return sqlFailure({ message, state: ofServer ? sqlState : undefined, code: errno, cause: error, type });
}
