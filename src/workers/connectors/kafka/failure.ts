/** Failures of Kafka under the class names by which Camel's users know them (Java: org.apache.kafka.common.errors). */
import { exceptionMessage, FlowException } from "../../engine/exception.ts";
import { errorName } from "./library.ts";

const errors = "org.apache.kafka.common.errors";
/** Those whose class is not the error's own name. */
const classes: Readonly<Record<string, string>> = {
  UNKNOWN_SERVER_ERROR: "UnknownServerException",
  MESSAGE_TOO_LARGE: "RecordTooLargeException",
  RECORD_LIST_TOO_LARGE: "RecordBatchTooLargeException",
  REQUEST_TIMED_OUT: "TimeoutException",
  INVALID_TOPIC_EXCEPTION: "InvalidTopicException",
  SASL_AUTHENTICATION_FAILED: "SaslAuthenticationException",
  UNSUPPORTED_SASL_MECHANISM: "UnsupportedSaslMechanismException",
  CORRUPT_MESSAGE: "CorruptRecordException",
  TOPIC_AUTHORIZATION_FAILED: "TopicAuthorizationException",
  GROUP_AUTHORIZATION_FAILED: "GroupAuthorizationException",
  CLUSTER_AUTHORIZATION_FAILED: "ClusterAuthorizationException",
  UNKNOWN_PRODUCER_ID: "UnknownProducerIdException",
};

/** `what` begins the message, such as the server's name. */
export function kafkaFailure(what: string, error: unknown): FlowException {
  const reason = reasonOf(error);
  return new FlowException(classOf(error, reason), what === "" ? reason : `${what}: ${reason}`, { cause: error });
}

function classOf(error: unknown, reason: string): string {
  if (error instanceof FlowException) return error.type;
  const name = errorName(error);
  if (name !== undefined) return `${errors}.${classes[name] ?? javaName(name)}`;
  if (/SASL|authentication/i.test(reason)) return `${errors}.SaslAuthenticationException`;
  if (/certificate|TLS|SSL|self-signed|altnames/i.test(reason)) return `${errors}.SslAuthenticationException`;
  if (/Unknown topic/.test(reason)) return `${errors}.UnknownTopicOrPartitionException`;
  if (/timed out|time-out/.test(reason)) return `${errors}.TimeoutException`;
  if (/ENOTFOUND|ECONN|EHOST|closed|connection/i.test(reason)) return `${errors}.DisconnectException`;
  return "org.apache.kafka.common.KafkaException";
}

/** `NOT_LEADER_OR_FOLLOWER` -> `NotLeaderOrFollowerException` */
function javaName(name: string): string {
  const words = name.replace(/_EXCEPTION$/, "").split("_");
  return `${words.map((word) => word.charAt(0) + word.slice(1).toLowerCase()).join("")}Exception`;
}

/** Names the causes, which the library keeps in nested errors. */
export function reasonOf(error: unknown): string {
  const reasons = [...new Set(reasonsOf(error, 0))];
  return reasons.join("; ").slice(0, 500) || exceptionMessage(error);
}

function reasonsOf(error: unknown, depth: number): string[] {
  if (typeof error !== "object" || error === null || depth > 8) return [String(error)];
  const { errors, cause, message, serverErrorMessage } = error as {
    readonly errors?: readonly unknown[];
    readonly cause?: unknown;
    readonly message?: string;
    readonly serverErrorMessage?: string | null;
  };
  if (Array.isArray(errors) && errors.length > 0) return errors.flatMap((one) => reasonsOf(one, depth + 1));
  const own = (serverErrorMessage ?? message ?? "").replace(/\.$/, "");
  if (cause === undefined) return [own];
  return reasonsOf(cause, depth + 1).map((reason) =>
    own === "" || reason.includes(own) ? reason : `${own}: ${reason}`,
  );
}
