/** The management API and the flows of a runtime, as one who tests calls them. */
import { parseExactly } from "../../shared/exact-json.ts";

/** An answer that is no 2xx. */
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

  /** `url`: without a slash at its end. */
  constructor(url: string, token: string) {
    this.url = url;
    this.#token = token;
  }

  /** `path`: below /_api. What it answers is the caller's to know. Throws Refusal, Unreachable. */
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

  /** Whatever it answers, redirects included. Throws Unreachable. */
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
    // Something stands between the caller and the runtime.
  }
  return `${answer.status} ${text.slice(0, 200)}`.trim();
}
