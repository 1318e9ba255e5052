/** Takes one file for a step that polls (Camel: GenericFilePollingConsumer). */

import type { Exchange } from "../../engine/exchange.ts";
import type { Polled, Poller, PollerContext } from "../../engine/poller.ts";
import { wait } from "../../engine/waiting.ts";
import { directoryFor } from "./directory.ts";
import type { Files } from "./file-system.ts";
import { FileFinder } from "./finder.ts";
import { flowFiles } from "./flow-files.ts";
import { type ClaimedFile, FileTaker } from "./one-file.ts";
import type { FileOptions } from "./options.ts";
import { polledFiles } from "./taken-files.ts";

/** Throws for invalid options. */
export function filePoller(options: FileOptions, context: PollerContext): Poller {
  const { directoryName, delay, sendEmptyMessageWhenIdle } = options;
  const files = flowFiles(directoryName, context);
  const prepare = directoryFor(options);
  const finder = new FileFinder({ ...options, maxMessagesPerPoll: 1 }, context, polledFiles(options, context));
  const taker = new FileTaker({ ...options, usualMove: ".camel" }, context, finder);

  const look = async (own: Files): Promise<Polled | undefined> => {
    await prepare(own);
    const found = await finder.find(own);
    for (const [index, file] of found.entries()) {
      const claimed = await taker.claim(own, { found: file, index, size: found.length });
      if (claimed !== undefined) return polledFile(claimed);
    }
    return sendEmptyMessageWhenIdle ? { message: { body: null } } : undefined;
  };

  return {
    async poll(waitMs, { run }: Exchange) {
      const own = files();
      const until = waitMs < 0 ? Number.POSITIVE_INFINITY : performance.now() + waitMs;
      for (;;) {
        // One look at a time, so that two runs that poll one directory do not find the same file.
        const polled = await own.system.one(own.area.path, () => look(own));
        const left = until - performance.now();
        if (polled !== undefined || waitMs === 0 || left <= 0) return polled;
        await wait(Math.min(left, delay), run.signal);
      }
    },
  };
}

function polledFile({ message, done, failed }: ClaimedFile): Polled {
  return {
    message,
    settle({ exchange, failed: hasFailed, error }) {
      if (!hasFailed) return done(exchange);
      // moveFailed may name it: ${exception.message}.
      exchange.exception ??= error;
      return failed(exchange);
    },
  };
}
