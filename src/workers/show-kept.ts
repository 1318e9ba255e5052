/** Shows a kept message to people: redacted, without the flow's secrets, and cut as records of steps are. */
import { confidentialOf } from "../shared/environment-mark.ts";
import type { KeptRequest, ShownMessage } from "../shared/kept.ts";
import { defaultLimits, type Limits, limitTable } from "../shared/limits.ts";
import { BodyKind, type InvokeExtra } from "../shared/protocol.ts";
import { secretMask } from "../shared/secret-mask.ts";
import { decodeBody, receiveExchange } from "./bodies.ts";
import { blankExchange } from "./engine/blank-exchange.ts";
import { Exchange } from "./engine/exchange.ts";
import { Headers } from "./engine/headers.ts";
import { restoreMessage } from "./engine/kept-message.ts";
import { Message } from "./engine/message.ts";
import { parseJson } from "./engine/parse-json.ts";
import { recordedMessage, recordedValues } from "./engine/recorded-message.ts";
import { Run } from "./engine/run.ts";

/** What a flow may have raised its limits to. */
const limits: Limits = {
  ...defaultLimits,
  messageBodyBytes: limitTable.messageBodyBytes.ceiling,
  headerBytes: limitTable.headerBytes.ceiling,
  variableBytes: limitTable.variableBytes.ceiling,
};

/** Never throws: a message that cannot be read is shown with the reason. */
export function showKept({ bodyKind, headers, extra, body, secrets, recordedBytes }: KeptRequest): ShownMessage {
  const { sink } = blankExchange(limits).run;
  const mask = secretMask(confidentialOf(secrets));
  const run = new Run<Exchange>({ ...sink, mask }, { ...limits, recordedBytes }, 0, 0);
  const exchange = bodyKind === BodyKind.kept ? restoreMessage(body as Uint8Array, run, "") : called();
  const { values, cut, redacted } = recordedValues(exchange.properties, Math.floor(recordedBytes / 4), run);
  const shown = recordedMessage(exchange.message, run);
  return {
    ...shown,
    properties: values,
    ...((shown.cut === true || cut) && { cut: true }),
    ...((shown.redacted === true || redacted) && { redacted: true }),
  };

  function called(): Exchange {
    const message = new Message(limits, new Headers(limits, headers), contentOf(bodyKind, body));
    const made = new Exchange(run, "", message);
    if (extra !== "") receiveExchange(made, parseJson(extra) as InvokeExtra, false);
    return made;
  }
}

/** A body that its run could not read is shown as its text. */
function contentOf(kind: BodyKind, body: string | Uint8Array | null): unknown {
  try {
    return decodeBody(kind, body);
  } catch {
    return typeof body === "string" ? body : Buffer.from(body ?? []).toString();
  }
}
