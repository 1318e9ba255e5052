/** How hostile flows are called, and how callers are hostile. */
import { connect } from "node:net";
import { every, monotonicMs, pause } from "../support/clock.ts";
import type { Answer, Attack, HostileCase, Target } from "./case.ts";

const MiB = 1024 * 1024;
const pauseMs = 100;

/** One call after the other. */
export const calls: Attack = async (target, attacked, over) => {
  const answers: Answer[] = [];
  do {
    answers.push(await call(target, attacked));
    await pause(pauseMs);
  } while (!over());
  return answers;
};

/** So many at once, and that once. */
export function crowd(count: number): Attack {
  return async (target, attacked) => Promise.all(Array.from({ length: count }, () => call(target, attacked)));
}

/** One call of the route `hostile`. */
export async function call({ url }: Target, { body = "x", headers = {} }: HostileCase): Promise<Answer> {
  const began = monotonicMs();
  try {
    const answer = await fetch(`${url}/api/hostile`, {
      method: "POST",
      body,
      headers: { "Content-Type": "text/plain", ...headers },
    });
    const text = await answer.text();
    return answerOf(answer, text, monotonicMs() - began);
  } catch (error) {
    const { cause } = error as { readonly cause?: unknown };
    return lost(String(cause ?? error), monotonicMs() - began);
  }
}

/** A body in chunks that goes on until it is answered, or has a gibibyte. */
export const endlessBody: Attack = async ({ url }) => [
  await raw(url, "POST /api/hostile HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n", (socket, answered) => {
    const chunk = Buffer.concat([Buffer.from("100000\r\n"), Buffer.alloc(MiB, "x"), Buffer.from("\r\n")]);
    let sent = 0;
    const more = (): void => {
      while (!answered() && !socket.destroyed && sent++ < 1024) if (!socket.write(chunk)) return;
    };
    socket.on("drain", more);
    more();
  }),
];

/** Many connections that send their request one byte a second; answers are those of all of them. */
export function slowly(count: number): Attack {
  return ({ url }) => {
    const head = "POST /api/hostile HTTP/1.1\r\nHost: a\r\nContent-Length: 1000\r\n";
    return Promise.all(
      Array.from({ length: count }, () =>
        raw(url, "", (socket, answered) => {
          let at = 0;
          const stop = every(1000, () => {
            if (answered() || socket.destroyed) stop();
            else socket.write(head[at++] ?? "x");
          });
        }),
      ),
    );
  };
}

/** Readers that take nothing of what they asked for, so many at once; each resolves when its connection ends. */
export function stalledReaders(count: number): Attack {
  return async ({ url }, { body = "x" }) => {
    const request = `POST /api/hostile HTTP/1.1\r\nHost: a\r\nContent-Type: text/plain\r\nContent-Length: ${body.length}\r\n\r\n${body}`;
    return Promise.all(
      Array.from({ length: count }, () => {
        const began = monotonicMs();
        return new Promise<Answer>((resolve) => {
          const socket = connect(Number(new URL(url).port), "127.0.0.1", () => socket.write(request));
          socket.pause();
          // Whoever reads nothing hears of the end of a connection only when it writes.
          const stop = every(500, () => socket.write("\r\n"));
          socket.on("error", () => {});
          socket.on("close", () => {
            stop();
            resolve(lost("the connection was ended", monotonicMs() - began));
          });
        });
      }),
    );
  };
}

export interface Change {
  readonly method?: "PUT" | "DELETE";
  /** Under `/_api`. */
  readonly path: string;
  readonly body: unknown;
}

/** Changes one after the other, so often. */
export function changes(list: readonly (Change | (() => Change))[], often = 1): Attack {
  return async ({ api }) => {
    const answers: Answer[] = [];
    for (let i = 0; i < often * list.length; i++) {
      const change = list[i % list.length];
      const { method = "PUT", path, body } = typeof change === "function" ? change() : (change as Change);
      const began = monotonicMs();
      const headers = { "Content-Type": "application/json" };
      const answer = await api(path, { method, headers, body: JSON.stringify(body) });
      answers.push(answerOf(answer, await answer.text(), monotonicMs() - began));
    }
    return answers;
  };
}

/** A flow that is put. */
export function putFlow(yaml: string, id = "hostile.main"): Change {
  return { path: `/flows/${id}`, body: { yaml } };
}

/** Another attack while somebody reads all traces with their messages. */
export function traced(attack: Attack): Attack {
  return async (target, attacked, over) => {
    const reading = new AbortController();
    const stream = await target.api("/trace/stream?body=full", { signal: reading.signal });
    const read = (async () => {
      for await (const _ of stream.body ?? []);
    })().catch(() => {});
    try {
      return await attack(target, attacked, over);
    } finally {
      reading.abort();
      await read;
    }
  };
}

type Socket = ReturnType<typeof connect>;

/** One request as bytes; resolves with the head of its answer, or when the connection ends. */
function raw(url: string, head: string, send: (socket: Socket, answered: () => boolean) => void): Promise<Answer> {
  const began = monotonicMs();
  return new Promise((resolve) => {
    let text = "";
    let answered = false;
    const tell = (): void => {
      if (answered) return;
      answered = true;
      const status = Number(/^HTTP\/1\.1 (\d+)/.exec(text)?.[1] ?? 0);
      const code = /^x-error-code: (\w+)/im.exec(text)?.[1] ?? "";
      const retryAfter = /^retry-after:/im.test(text);
      resolve({ status, code, retryAfter, runId: undefined, ms: monotonicMs() - began, text: text.slice(0, 2000) });
      socket.destroy();
    };
    const socket = connect(Number(new URL(url).port), "127.0.0.1", () => {
      if (head !== "") socket.write(head);
      send(socket, () => answered);
    });
    socket.setEncoding("latin1");
    socket.on("data", (chunk: string) => {
      text += chunk;
      if (text.includes("\r\n\r\n")) tell();
    });
    socket.on("error", () => {});
    socket.on("close", tell);
  });
}

function answerOf({ status, headers }: Response, text: string, ms: number): Answer {
  const code = headers.get("x-error-code") ?? "";
  const runId = headers.get("x-run-id") ?? undefined;
  return { status, code, ms, runId, retryAfter: headers.has("retry-after"), text: text.slice(0, 2000) };
}

function lost(text: string, ms: number): Answer {
  return { status: 0, code: "", ms, runId: undefined, retryAfter: false, text };
}
