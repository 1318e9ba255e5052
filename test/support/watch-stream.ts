/** A subscriber of a running app's event streams. */
import { once } from "node:events";
import { get, type IncomingMessage } from "node:http";
import type { TestContext } from "node:test";
import { Reader, type Received } from "../control/streams/stream-client.ts";
import { after } from "./clock.ts";
import { type TestApp, token } from "./start-app.ts";

type StreamPath = "/trace/stream" | "/logs/stream";

/** Subscribes with the token; resolves when the stream's `ready` has arrived, which is then the first event taken. */
export async function watch(
  t: TestContext,
  app: TestApp,
  path: `${StreamPath}${string}`,
  lastEventId?: string,
): Promise<Reader> {
  const headers = {
    Authorization: `Bearer ${token}`,
    ...(lastEventId === undefined ? {} : { "Last-Event-ID": lastEventId }),
  };
  const request = get(`${app.url}/_api${path}`, { headers, agent: false });
  const [response] = (await once(request, "response")) as [IncomingMessage];
  if (response.statusCode !== 200) throw new Error(`the stream answered ${response.statusCode}`);
  const reader = new Reader(response);
  t.after(() => reader.drop());
  const { event } = await reader.next();
  if (event !== "ready") throw new Error(`the stream began with '${event}'`);
  return reader;
}

/** Returns the stream's events so far, without its control events. */
export function eventsOf<E>(reader: Reader, name: "trace" | "log"): E[] {
  return reader.received.filter(({ event }) => event === name).map(({ data }) => data as E);
}

/** Waits for the first event that `wanted` accepts and returns all events up to it; gives up after ten seconds. */
export async function upTo<E>(reader: Reader, name: "trace" | "log", wanted: (event: E) => boolean): Promise<E[]> {
  const at = (): number =>
    reader.received.findIndex(({ event, data }: Received) => event === name && wanted(data as E));
  const stop = after(10_000, () => reader.drop());
  await reader.until(() => at() >= 0).finally(stop);
  return reader.received
    .slice(0, at() + 1)
    .filter(({ event }) => event === name)
    .map(({ data }) => data as E);
}
