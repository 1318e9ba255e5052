/** `bulkhead/client`: the management API of a runtime, for programs (docs/client.md). */
export { type BulkheadClient, type Call, type ClientOptions, createClient, orThrow, type Result } from "./client.ts";
export { ApiError, type ClientCode, type CodeOf, type ErrorCode, UnreachableError } from "./errors.ts";
export type { LogEvent, StreamMessage, StreamOptions, TraceEvent } from "./event-stream.ts";
export type { components, operations, paths } from "./openapi.ts";
