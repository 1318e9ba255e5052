/** A client of the management API and of the flows of a runtime. */
import { parseExactly } from "../../shared/exact-json.ts";

/** An answer with a status other than 2xx. */
export class Refusal extends Error {
  readonly status: number;
  readonly code: string;

  constructor(status: number, code: string, message: string) {
    super(message);
    this.status = status;
    this.code = code;
  }
}

/** The runtime does not answer. */
export class Unreachable extends Error {}

export class ApiClient {
  readonly url: string;
  readonly #token: string;

  /** `url`: without a slash at the end. */
  constructor(url: string, token: string) {
    this.url = url;
    this.#token = token;
  }

  /** Calls an endpoint. `path`: below /_api. The caller knows the answer's type. Throws Refusal, Unreachable. */
  async call<Answer>(method: string, path: string, body?: unknown): Promise<Answer> {
    const sent = body === undefined ? {} : { body: JSON.stringify(body), type: "application/json" };
    return (await this.send<Answer>(method, path, sent)) as Answer;
  }

  async send<Answer>(method: string, path: string, { body, type }: { body?: string; type?: string }): Promise<Answer> {
    const answer = await this.request(`/_api${path}`, {
      method,
      headers: { Authorization: `Bearer ${this.#token}`, ...(type !== undefined && { "Content-Type": type }) },
      ...(body !== undefined && { body }),
    });
    const text = await answer.text();
    if (!answer.ok) throw new Refusal(answer.status, answer.headers.get("x-error-code") ?? "", messageOf(answer, text));
    try {
      return parseExactly(text) as Answer;
    } catch {
      throw new Unreachable(`${this.url}${path} answers something other than JSON: is it the runtime?`);
    }
  }

  /** Sends a request and returns any answer, redirects included. Throws Unreachable. */
  async request(path: string, init: RequestInit): Promise<Response> {
    try {
      return await fetch(`${this.url}${path}`, { redirect: "manual", ...init });
    } catch (error) {
      const { cause } = error as { readonly cause?: unknown };
      const reason = cause instanceof Error ? cause.message : String(error);
      throw new Unreachable(`${this.url} does not answer: ${reason}`);
    }
  }
}

function messageOf(answer: Response, text: string): string {
  try {
    const { error } = JSON.parse(text) as { readonly error?: unknown };
    if (typeof error === "string") return error;
  } catch {
    // A proxy may have answered in place of the runtime.
  }
  return `${answer.status} ${text.slice(0, 200)}`.trim();
}
