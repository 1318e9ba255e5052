/** Failures of RabbitMQ under the class names by which Camel's users know them (Spring: RabbitExceptionTranslator). */
import { exceptionMessage, FlowException } from "../../engine/exception.ts";

const classes = "org.springframework.amqp";

/** The server could not be reached, or has refused the login. `server`: as `host:port`. */
export function connectFailure(server: string, error: unknown): FlowException {
  const refused = codeOf(error) === "ACCESS_REFUSED";
  return amqpFailure(
    refused ? "AmqpAuthenticationException" : "AmqpConnectException",
    `${server}: ${plain(error)}`,
    error,
  );
}

/** An operation has failed: the server has refused it, or the connection was lost. */
export function channelFailure(error: unknown): FlowException {
  if (error instanceof FlowException) return error;
  if (codeOf(error) === "NACK")
    return amqpFailure("rabbit.core.AmqpNackReceivedException", "the server has not taken the message", error);
  return amqpFailure("AmqpIOException", plain(error), error);
}

/** Whether it is the server's answer to one message, which leaves the channel open. */
export function isNack(error: unknown): boolean {
  return error instanceof FlowException && codeOf(error.cause) === "NACK";
}

/** `name`: the class below org.springframework.amqp. */
export function amqpFailure(name: string, message: string, cause?: unknown): FlowException {
  return new FlowException(`${classes}.${name}`, message, cause === undefined ? undefined : { cause });
}

function codeOf(error: unknown): unknown {
  return (error as { readonly code?: unknown } | undefined)?.code;
}

/** The library puts the method in front of the server's words, and `undefined` where there is none. */
function plain(error: unknown): string {
  return (exceptionMessage(error) || String(codeOf(error) ?? "it failed without a reason")).replace(/^undefined: /, "");
}
