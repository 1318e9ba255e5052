/** What a call of the designer's server can end with in place of its answer. */
export class DesignerError extends Error {
  /** The HTTP status; 0: the server does not answer. */
  readonly status: number;
  /** The document of the answer. */
  readonly body: unknown;

  constructor(status: number, message: string, body?: unknown, options?: ErrorOptions) {
    super(message, options);
    this.name = "DesignerError";
    this.status = status;
    this.body = body;
  }
}
