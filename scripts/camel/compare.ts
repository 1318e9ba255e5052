/** Asks real Camel and this runtime the same, and says where they differ. */
import type { Asked } from "./requests.ts";

export interface Answer {
  readonly status: number;
  /** Without parameters; "": there is none. */
  readonly type: string;
  readonly body: string;
}

export interface Difference {
  readonly asked: Asked;
  readonly camel: Answer;
  readonly here: Answer;
}

const askMs = 40_000;

/** Resolves with the requests whose answers differ in status, media type or body. */
export async function differences(
  asked: readonly Asked[],
  camel: string,
  here: string,
): Promise<readonly Difference[]> {
  const found: Difference[] = [];
  for (const one of asked) {
    const [there, own] = [await answerOf(one, camel), await answerOf(one, here)];
    if (!isAlike(there, own)) found.push({ asked: one, camel: there, here: own });
  }
  return found;
}

async function answerOf({ method, path, headers, body }: Asked, url: string): Promise<Answer> {
  try {
    const response = await fetch(`${url}${path}`, {
      method,
      headers,
      ...(body !== undefined && { body }),
      signal: AbortSignal.timeout(askMs),
    });
    const type = (response.headers.get("content-type") ?? "").split(";")[0] as string;
    return { status: response.status, type, body: await response.text() };
  } catch (error) {
    return { status: 0, type: "", body: String(error) };
  }
}

/** The texts of failures are each program's own. */
function isAlike(camel: Answer, here: Answer): boolean {
  if (camel.status !== here.status) return false;
  return camel.status >= 500 || (camel.type === here.type && camel.body === here.body);
}

export function described({ asked, camel, here }: Difference): string {
  const shown = ({ status, type, body }: Answer): string => `${status} ${type} ${JSON.stringify(body.slice(0, 200))}`;
  return `    ${asked.method} ${asked.path}\n      Camel ${shown(camel)}\n      here  ${shown(here)}`;
}
