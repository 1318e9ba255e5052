/** How a message is to be delivered: whether it outlasts the broker's end, when, how soon, and until when. */
import type { Exchange } from "../../engine/exchange.ts";
import type { JmsOptions } from "./options.ts";

export interface Quality {
  readonly persistent: boolean;
  readonly priority: number;
  /** Milliseconds; undefined: it does not expire. */
  readonly ttl: number | undefined;
  /** Milliseconds until it is delivered. */
  readonly delay: number;
}

const usualPriority = 4;

/** `requestTtl`: of a request, whose reply is awaited no longer than that. */
export function qualityOf(exchange: Exchange, options: JmsOptions, requestTtl?: number): Quality {
  const { preserveMessageQos, deliveryDelay, explicitQosEnabled = true } = options;
  const delay = Math.max(0, deliveryDelay);
  const ofEndpoint = explicitQosEnabled
    ? {
        persistent: options.deliveryMode === undefined ? options.deliveryPersistent : options.deliveryMode === "2",
        priority: options.priority ?? usualPriority,
        ttl: options.timeToLive > 0 ? options.timeToLive : requestTtl,
      }
    : { persistent: true, priority: usualPriority, ttl: requestTtl };
  if (!preserveMessageQos) return { ...ofEndpoint, delay };
  const { headers } = exchange.message;
  const priority = wholeOf(headers.get("JMSPriority"));
  const expiration = wholeOf(headers.get("JMSExpiration"));
  const persistent = persistentOf(headers.get("JMSDeliveryMode"));
  return {
    persistent: persistent ?? ofEndpoint.persistent,
    priority: priority === undefined ? ofEndpoint.priority : Math.min(Math.max(priority, 0), 9),
    ttl: expiration === undefined || expiration <= 0 ? ofEndpoint.ttl : Math.max(1, expiration - Date.now()),
    delay,
  };
}

function wholeOf(value: unknown): number | undefined {
  if (value === undefined || value === null || value === "") return undefined;
  const number = Number(value);
  return Number.isInteger(number) ? number : undefined;
}

function persistentOf(value: unknown): boolean | undefined {
  const text = String(value ?? "").toUpperCase();
  if (text === "2" || text === "PERSISTENT") return true;
  return text === "1" || text === "NON_PERSISTENT" ? false : undefined;
}
