/** Calls of the designer's own server. */
import { DesignerError } from "./errors.ts";

interface Call {
  readonly method?: "GET" | "PUT" | "POST" | "DELETE";
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
  readonly signal?: AbortSignal | undefined;
}

export interface Answer<T> {
  readonly data: T;
  readonly etag: string | undefined;
}

/** Called when the server asks for a login: the session is over. */
let askForLogin = (): void => {};

export function onLoginAsked(listener: () => void): void {
  askForLogin = listener;
}

/** Every call of this page has it: a page of another origin cannot set it without the server's consent. */
export const ownHeader = { "X-Designer": "1" } as const;

/** Rejects with DesignerError, and with an AbortError when `signal` is aborted. */
export async function call<T>(
  path: string,
  { method = "GET", body, headers = {}, signal }: Call = {},
): Promise<Answer<T>> {
  const type = body === undefined ? {} : { "Content-Type": "application/json" };
  const init: RequestInit = {
    method,
    headers: { ...ownHeader, ...type, ...headers },
    redirect: "manual",
    cache: "no-store",
  };
  if (body !== undefined) init.body = JSON.stringify(body);
  if (signal !== undefined) init.signal = signal;
  const response = await fetch(path, init).catch((cause: unknown) => {
    if (signal?.aborted === true) throw cause;
    throw new DesignerError(0, `${path} is not answered`, undefined, { cause });
  });
  const data = await documentOf(response);
  if (response.status === 401) askForLogin();
  if (!response.ok) throw new DesignerError(response.status, messageOf(response, data), data);
  return { data: data as T, etag: response.headers.get("etag") ?? undefined };
}

async function documentOf(response: Response): Promise<unknown> {
  const text = await response.text();
  if (text === "") return undefined;
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

function messageOf({ status }: Response, body: unknown): string {
  if (typeof body === "object" && body !== null && "error" in body && typeof body.error === "string") return body.error;
  return `${status} ${typeof body === "string" ? body.slice(0, 200) : ""}`.trim();
}
