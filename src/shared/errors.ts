/** Every error that the runtime answers, in one table: its code, its HTTP status, whose fault it is. */

interface ErrorKind {
  readonly status: number;
  /** caller: change the request; operator: look at the runtime; flow: look at the flow. */
  readonly fault: "caller" | "operator" | "flow";
}

export const errorTable = {
  bad_request: { status: 400, fault: "caller" },
  bad_target: { status: 400, fault: "caller" },
  bad_id: { status: 400, fault: "caller" },
  bad_query: { status: 400, fault: "caller" },
  bad_json: { status: 400, fault: "caller" },
  bad_idempotency_key: { status: 400, fault: "caller" },
  unauthorized: { status: 401, fault: "caller" },
  unauthenticated: { status: 401, fault: "caller" },
  scope_forbidden: { status: 403, fault: "operator" },
  forbidden: { status: 403, fault: "caller" },
  not_found: { status: 404, fault: "caller" },
  method_not_allowed: { status: 405, fault: "caller" },
  not_acceptable: { status: 406, fault: "caller" },
  request_timeout: { status: 408, fault: "caller" },
  route_taken: { status: 409, fault: "caller" },
  direct_taken: { status: 409, fault: "caller" },
  path_taken: { status: 409, fault: "caller" },
  id_case_clash: { status: 409, fault: "caller" },
  id_taken: { status: 409, fault: "caller" },
  run_finished: { status: 409, fault: "caller" },
  session_closed: { status: 409, fault: "caller" },
  mock_conflict: { status: 409, fault: "caller" },
  run_not_recorded: { status: 409, fault: "caller" },
  mapping_in_use: { status: 409, fault: "caller" },
  idempotency_in_progress: { status: 409, fault: "caller" },
  idempotency_answer_lost: { status: 409, fault: "caller" },
  precondition_failed: { status: 412, fault: "caller" },
  body_too_large: { status: 413, fault: "caller" },
  unsupported_media_type: { status: 415, fault: "caller" },
  expectation_failed: { status: 417, fault: "caller" },
  flow_invalid: { status: 422, fault: "caller" },
  limit_not_allowed: { status: 422, fault: "caller" },
  mapping_invalid: { status: 422, fault: "caller" },
  policy_invalid: { status: 422, fault: "caller" },
  idempotency_key_reused: { status: 422, fault: "caller" },
  session_invalid: { status: 422, fault: "caller" },
  not_invocable: { status: 422, fault: "caller" },
  not_yet: { status: 422, fault: "caller" },
  flow_failed: { status: 422, fault: "flow" },
  flow_quarantined_locked: { status: 423, fault: "flow" },
  queue_full: { status: 429, fault: "caller" },
  rate_limited: { status: 429, fault: "caller" },
  too_many_in_flight: { status: 429, fault: "caller" },
  bytes_in_flight: { status: 429, fault: "caller" },
  too_many_sessions: { status: 429, fault: "caller" },
  too_many_subscribers: { status: 429, fault: "caller" },
  header_fields_too_large: { status: 431, fault: "caller" },
  run_failed: { status: 500, fault: "flow" },
  run_killed: { status: 500, fault: "flow" },
  run_cancelled: { status: 503, fault: "operator" },
  internal: { status: 500, fault: "operator" },
  audit_failed: { status: 500, fault: "operator" },
  store_failed: { status: 500, fault: "operator" },
  lock_lost: { status: 503, fault: "operator" },
  no_thread: { status: 503, fault: "operator" },
  overloaded: { status: 503, fault: "operator" },
  token_not_configured: { status: 503, fault: "operator" },
  not_ready: { status: 503, fault: "operator" },
  policy_unavailable: { status: 503, fault: "operator" },
  answer_not_sent: { status: 503, fault: "operator" },
  route_stopped: { status: 503, fault: "operator" },
  route_starting: { status: 503, fault: "operator" },
  flow_quarantined: { status: 503, fault: "flow" },
  draining: { status: 503, fault: "operator" },
  run_timeout: { status: 504, fault: "flow" },
  disk_full: { status: 507, fault: "operator" },
} as const satisfies Record<string, ErrorKind>;

export type ErrorCode = keyof typeof errorTable;

/** An error with a place in the table; its message is sent to the caller as it stands, so it names no path and no secret. */
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
    return errorTable[this.code].status;
  }
}
