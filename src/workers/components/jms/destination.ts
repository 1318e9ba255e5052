/** Queues and topics as flows and headers write them: `orders`, `queue:orders`, `topic://prices`. */
import type { AmqpMessage, AmqpNode, NodeType } from "../../connectors/amqp-client.ts";
import { FlowException } from "../../engine/exception.ts";

const written = /^(temp-queue|temp-topic|queue|topic):(?:\/\/)?(.*)$/s;

/** `otherwise`: what a text without a type names. Throws an Error for a text that names nothing. */
export function readDestination(text: string, otherwise: NodeType = "queue"): AmqpNode {
  const [, type, name] = written.exec(text.trim()) ?? [];
  const found = { type: (type as NodeType | undefined) ?? otherwise, name: (name ?? text).trim() };
  if (found.name === "") throw new Error(`the name of a queue or a topic is missing in '${text.slice(0, 100)}'`);
  return found;
}

/** What the text names, which need not be valid. */
export function typeOfDestination(text: string, otherwise: NodeType = "queue"): NodeType {
  return (written.exec(text.trim())?.[1] as NodeType | undefined) ?? otherwise;
}

/** As a message's header names a destination. Throws a FlowException. */
export function destinationOfHeader(header: string, value: unknown): AmqpNode {
  if (typeof value === "string" && value.trim() !== "") return readDestination(value);
  throw new FlowException(
    "jakarta.jms.InvalidDestinationException",
    `the header ${header} is the name of a queue or a topic, such as queue:orders`,
  );
}

export function destinationText({ type, name }: AmqpNode): string {
  return `${type}://${name}`;
}

const codes: readonly NodeType[] = ["queue", "topic", "temp-queue", "temp-topic"];

/** The number by which JMS clients of AMQP know the kind of an address. */
export function destinationCode(type: NodeType): number {
  return codes.indexOf(type);
}

/** An address of a received message; `annotation` says what it is. */
export function destinationAt(
  address: string,
  { annotations }: AmqpMessage,
  annotation: "x-opt-jms-dest" | "x-opt-jms-reply-to",
  otherwise: NodeType,
): string {
  const code = annotations?.[annotation];
  return destinationText({ type: (typeof code === "number" ? codes[code] : undefined) ?? otherwise, name: address });
}
