/**
 * Limits by which a runtime gives up what is slow, raised: a busy machine must not fail a test that is about something else. A test that is about
 * one of them sets it itself.
 */
import { type LimitName, limitVariable } from "../../src/shared/limits.ts";

export const patient = {
  checkMs: 60_000,
  compileMs: 60_000,
  threadBootMs: 120_000,
  hostSilentMs: 120_000,
  cancelGraceMs: 30_000,
  webhookWallMs: 300_000,
  drainMs: 300_000,
  outboundConnectMs: 60_000,
  outboundHeadersMs: 300_000,
  outboundTotalMs: 300_000,
} as const satisfies Partial<Record<LimitName, number>>;

/** The same for a process of its own, as variables of its environment. */
export const patientVariables: Readonly<Record<string, string>> = Object.fromEntries(
  Object.entries(patient).map(([name, value]) => [limitVariable(name as LimitName), String(value)]),
);
