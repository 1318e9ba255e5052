/** A failed message as people read it. */
import type { components } from "../client/index.ts";
import { sayFacts, sayFailure, triggerText } from "./facts.ts";
import { plainText, type Style, type Terminal } from "./terminal.ts";
import { shortBytes, shortTime } from "./times.ts";
import { stringifyYaml } from "./yaml.ts";

type FailedMessageDetail = components["schemas"]["FailedMessageDetail"];

export function stateStyle(state: FailedMessageDetail["state"]): Style | undefined {
  return state === "waiting" ? "yellow" : state === "retried" ? "green" : undefined;
}

/** Prints the message with its content, as YAML, and how it is run again. */
export function sayFailed(terminal: Terminal, failed: FailedMessageDetail): void {
  const { id, flowId, revision, routeId, trigger, state, at, attempts, count, deadLetter, runs, error, message } =
    failed;
  sayFacts(terminal, [
    ["message", `${id}, ${shortBytes(failed.bytes)}`],
    ["flow", `${flowId}, revision ${revision}`],
    ["route", routeId],
    ["trigger", triggerText(trigger)],
    ["caller", trigger.principal],
    ["state", state, stateStyle(state)],
    ["failed", `${at} (${shortTime(at)})`],
    ["attempts", attempts],
    ["equal", count > 1 ? `${count} messages, which a retry runs once` : null],
    ["channel", deadLetter ? "it ended in a dead letter channel" : null],
    ["runs", runs.join(", ")],
    ["body", failed.headOnly === true ? "missing, since it could not be read: a retry needs one" : null],
  ]);
  if (error !== null) sayFailure(terminal, flowId, error);
  terminal.say("");
  if (message === null) {
    terminal.say(`Its content is gone: it was ${state}.`);
    return;
  }
  const { body, ...others } = message;
  terminal.say(plainText(stringifyYaml({ body, ...others })));
  if (state === "waiting" && failed.headOnly !== true)
    terminal.say(`\n${terminal.paint("dim", `bulkhead failed retry ${id} --wait  runs it again`)}`);
}
