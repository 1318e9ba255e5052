/** Failures of brokers under the class names by which Camel's users know them. */
import { exceptionMessage, FlowException } from "../../engine/exception.ts";
import { ReasonCodes } from "./library.ts";

/** Versions of the protocol as CONNECT names them: 4 is MQTT 3.1.1. */
export type MqttVersion = 4 | 5;

/** The code for a client whose session another client with its id has taken over. */
const takenOver = 142;

export function mqttFailure(version: MqttVersion, message: string, cause?: unknown): FlowException {
  const type =
    version === 5 ? "org.eclipse.paho.mqttv5.common.MqttException" : "org.eclipse.paho.client.mqttv3.MqttException";
  return new FlowException(type, message, { cause, details: { reasonCode: codeOf(cause) ?? 0 } });
}

/** The broker's reason code, if the failure is the broker's. */
export function codeOf(error: unknown): number | undefined {
  const code = (error as { readonly code?: unknown } | undefined)?.code;
  return typeof code === "number" ? code : undefined;
}

interface Remarks {
  readonly reasonString?: string | undefined;
  readonly serverReference?: string | undefined;
}

/** What the broker says beside its code. It is not followed to the server that it names. */
export function remarkOf({ reasonString, serverReference }: Remarks = {}): string {
  const said = [reasonString, serverReference === undefined ? undefined : `it names the server ${serverReference}`];
  const remarks = said.filter((one) => one !== undefined);
  return remarks.length === 0 ? "" : ` (${remarks.join("; ")})`;
}

/** The broker has closed the connection without a word, as those of MQTT 3.1.1 do, and some of MQTT 5. */
export function closedFor(clientId: string): Error {
  return new Error(
    `the broker has closed the connection; if that happens again and again, another client with the id '${clientId}' connects`,
  );
}

/** Says why the broker has ended the connection, by its DISCONNECT packet. */
export function disconnectReason(
  { reasonCode = 0, properties }: { readonly reasonCode?: number; readonly properties?: Remarks },
  clientId: string,
): Error {
  if (reasonCode === takenOver)
    return new Error(
      `another client with the id '${clientId}' has connected, and the broker has given the session to it: write a clientId of its own at one of them`,
    );
  const what = ReasonCodes[reasonCode as keyof typeof ReasonCodes] || `reason ${reasonCode}`;
  return new Error(`the broker has ended the connection: ${what}${remarkOf(properties)}`);
}

/** The library says of some failures only that there was one. */
export function causeOf(error: unknown): string {
  return exceptionMessage(error).replace(/^Connection refused: /, "the broker refuses the client: ") || "it failed";
}
