/** Polls a server with GET (Camel: HttpPollingConsumer). An answer of any status is a message. */

import type { Egress } from "../../../shared/egress.ts";
import type { HttpAccess } from "../../connectors/http-access.ts";
import type { Connection } from "../../engine/connections/connection.ts";
import { Exchange } from "../../engine/exchange.ts";
import { Headers } from "../../engine/headers.ts";
import { Message } from "../../engine/message.ts";
import type { Poller, PollerContext } from "../../engine/poller.ts";
import type { HttpOptions } from "./options.ts";
import { partsOf, timely } from "./producer.ts";
import { pollingOptions } from "./settings.ts";

/** Throws an Error that names the fault of the endpoint. */
export function httpPoller(
  scheme: "http" | "https",
  options: HttpOptions,
  context: PollerContext,
  egress: Egress,
  connection: Connection<HttpAccess> | undefined,
): Poller {
  const parts = partsOf(scheme, pollingOptions(options), context, egress, connection);
  const { settings } = parts;
  return {
    async poll(waitMs, { run, routeId }) {
      const message = new Message(run.limits, new Headers(run.limits), null);
      const exchange = new Exchange(run, routeId, message);
      // The server's silence is what a time-out bounds, as in Camel; without one the endpoint's own settings do.
      const shorter = waitMs > 0 && waitMs < settings.silenceMs;
      const moreTime = { ...settings.moreTime, silence: "raise the step's timeout" };
      await timely(exchange, shorter ? { ...parts, settings: { ...settings, silenceMs: waitMs, moreTime } } : parts);
      return { message: exchange };
    },
  };
}
