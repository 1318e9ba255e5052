/** Refusals of requests: a status, and one sentence that says what to do. */

/** Its message is sent to the browser: no path of the machine and no secret is in it. */
export class Refused extends Error {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  /** Further fields of the answer, beside `error`. */
  readonly more: Readonly<Record<string, unknown>>;

  constructor(
    status: number,
    message: string,
    {
      headers = {},
      ...more
    }: { readonly headers?: Readonly<Record<string, string>>; readonly [field: string]: unknown } = {},
  ) {
    super(message);
    this.name = "Refused";
    this.status = status;
    this.headers = headers;
    this.more = more;
  }
}

/** The `code` of a system error, such as ENOENT. */
export function codeOf(error: unknown): string | undefined {
  return error instanceof Error && "code" in error && typeof error.code === "string" ? error.code : undefined;
}

/** What an unexpected value that was thrown is about. */
export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
