/** The worker that all pages of this browser share. It ends with the last of them. */
import { streamHub } from "./hub.ts";
import type { FromHub } from "./messages.ts";

const hub = streamHub({ origin: location.origin });
const lock = `event streams ${crypto.randomUUID()}`;
const held = new Promise<void>((resolve) => {
  void navigator.locks.request(lock, () => {
    resolve();
    return new Promise(() => {});
  });
});

addEventListener("connect", (event) => {
  const [port] = (event as MessageEvent).ports;
  if (port === undefined) return;
  hub.attach(port);
  // By the lock the page learns that the worker has died.
  void held.then(() => port.postMessage({ kind: "hub", lock } satisfies FromHub));
});
