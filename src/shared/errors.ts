/** The table of all errors that the runtime answers: code and HTTP status. */

export const errorTable = {
  bad_request: 400,
  bad_target: 400,
  bad_id: 400,
  bad_query: 400,
  bad_json: 400,
  bad_idempotency_key: 400,
  unauthorized: 401,
  unauthenticated: 401,
  scope_forbidden: 403,
  forbidden: 403,
  not_found: 404,
  method_not_allowed: 405,
  not_acceptable: 406,
  request_timeout: 408,
  route_taken: 409,
  direct_taken: 409,
  path_taken: 409,
  state_in_use: 409,
  id_case_clash: 409,
  id_taken: 409,
  run_finished: 409,
  not_triggerable: 409,
  not_peekable: 409,
  not_retryable: 409,
  retry_in_progress: 409,
  session_closed: 409,
  mock_conflict: 409,
  run_not_recorded: 409,
  mapping_in_use: 409,
  connection_in_use: 409,
  connection_missing: 409,
  removals_refused: 409,
  idempotency_in_progress: 409,
  idempotency_answer_lost: 409,
  precondition_failed: 412,
  body_too_large: 413,
  unsupported_media_type: 415,
  expectation_failed: 417,
  flow_invalid: 422,
  limit_not_allowed: 422,
  mapping_invalid: 422,
  connection_invalid: 422,
  policy_invalid: 422,
  idempotency_key_reused: 422,
  session_invalid: 422,
  not_invocable: 422,
  flow_failed: 422,
  flow_quarantined_locked: 423,
  queue_full: 429,
  rate_limited: 429,
  too_many_in_flight: 429,
  bytes_in_flight: 429,
  too_many_sessions: 429,
  too_many_subscribers: 429,
  header_fields_too_large: 431,
  run_failed: 500,
  run_killed: 500,
  run_cancelled: 503,
  internal: 500,
  audit_failed: 500,
  store_failed: 500,
  lock_lost: 503,
  no_thread: 503,
  overloaded: 503,
  token_not_configured: 503,
  not_ready: 503,
  policy_unavailable: 503,
  answer_not_sent: 503,
  route_stopped: 503,
  route_starting: 503,
  flow_quarantined: 503,
  draining: 503,
  run_timeout: 504,
  disk_full: 507,
} as const;

export type ErrorCode = keyof typeof errorTable;

/** An error of the table. Its message is sent to the caller, so it must not contain a path or a secret. */
export class AppError extends Error {
  readonly code: ErrorCode;
  /** Extra response headers, such as `Allow` or `Retry-After`. */
  readonly headers: Readonly<Record<string, string>>;

  constructor(code: ErrorCode, message: string, headers: Readonly<Record<string, string>> = {}) {
    super(message);
    this.name = "AppError";
    this.code = code;
    this.headers = headers;
  }

  get status(): number {
    return errorTable[this.code];
  }
}

/** What was asked for has taken longer than it may: on a machine that is less busy it may succeed. */
export class LateError extends AppError {}

/** Returns the text to log for an unexpected failure: its stack, if it has one. */
export function stackOf(error: unknown): string {
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}
