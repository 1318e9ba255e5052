/** The metadata that Camel's consumers put into the exchange of a tick. */
import type { ClockTrigger } from "../../shared/manifest.ts";
import type { InvokeExtra } from "../../shared/protocol.ts";

/** All moments are epoch milliseconds. */
export interface Tick {
  /** The tick's number, from 1. */
  readonly count: number;
  readonly dueAt: number;
  /** The time of the previous tick. */
  readonly previousAt: number | undefined;
  /** The time when the next tick is due, if known. */
  readonly nextAt: number | undefined;
}

/** Returns the metadata; undefined unless the route asks for it with includeMetadata. */
export function metadataOf(trigger: ClockTrigger, tick: Tick): InvokeExtra | undefined {
  if (trigger.kind !== "quartz" && !trigger.includeMetadata) return undefined;
  const now = Date.now();
  const firedAt = isoTime(now);
  const timestamp = ["CamelMessageTimestamp", now] as const;
  switch (trigger.kind) {
    case "timer":
      return {
        headers: [["CamelTimerFiredTime", firedAt], timestamp],
        properties: {
          CamelTimerCounter: tick.count,
          CamelTimerName: trigger.name,
          CamelTimerPeriod: trigger.periodMs,
          CamelTimerFiredTime: firedAt,
        },
      };
    case "scheduler":
      return { headers: [timestamp], properties: { CamelTimerName: trigger.name, CamelTimerFiredTime: firedAt } };
    case "quartz":
      return {
        headers: [
          ["fireTime", firedAt],
          ["scheduledFireTime", isoTime(tick.dueAt)],
          ["previousFireTime", isoTime(tick.previousAt)],
          ["nextFireTime", isoTime(tick.nextAt)],
          ["jobRunTime", -1],
          ["refireCount", 0],
          ["triggerName", trigger.name],
          ["triggerGroup", trigger.group],
          timestamp,
        ],
      };
  }
}

function isoTime(at: number | undefined): string | null {
  return at === undefined ? null : new Date(at).toISOString();
}
