/** The parts of rhea that this connector uses, with what its types leave out. */
import type { EventEmitter } from "node:events";
import type { Socket } from "node:net";
import * as imported from "rhea";
import { exportsOf } from "../../engine/late-module.ts";

/** A value with its type of AMQP, as rhea reads and writes it. */
export interface Typed {
  readonly value: unknown;
  readonly descriptor?: { readonly value: unknown };
}

/** A performative: its fields by their places in the specification. */
export interface Performative {
  readonly value: unknown[];
}

export interface Frame {
  readonly performative: Performative & {
    readonly handle?: number;
    readonly delivery_id?: number;
    message_format?: number;
    readonly more?: boolean;
    readonly first?: number;
    readonly last?: number;
  };
  payload?: Uint8Array;
}

export interface RheaDelivery {
  readonly id: number;
  readonly remote_settled: boolean;
  readonly settled: boolean;
  readonly remote_state?: unknown;
  update(settled: boolean, state?: unknown): void;
}

export interface RheaContext {
  readonly delivery?: RheaDelivery;
  /** The bytes of a message, since sessions ask for them. */
  readonly message?: unknown;
  readonly error?: unknown;
}

export interface RheaLink extends EventEmitter {
  readonly name: string;
  readonly credit: number;
  readonly error?: { readonly condition?: string; readonly description?: string };
  readonly source?: { readonly address?: string; readonly distribution_mode?: unknown };
  readonly target?: unknown;
  readonly local: { readonly attach: Performative & { target?: unknown } };
  on_attach(frame: Frame): void;
  open(): void;
  /** Ends the link; a durable subscription stays. */
  detach(): void;
  close(): void;
  is_closed(): boolean;
  is_open(): boolean;
}

export interface RheaSender extends RheaLink {
  set_source(fields: object): void;
  sendable(): boolean;
  send(bytes: Buffer, tag: Buffer | undefined, format: number): RheaDelivery;
}

export interface RheaReceiver extends RheaLink {
  drain: boolean;
  add_credit(credit: number): void;
  drain_credit(): void;
}

export interface RheaSession extends EventEmitter {
  readonly incoming: { process(session: RheaSession): void };
  readonly error?: { readonly condition?: string; readonly description?: string };
  begin(): void;
  close(): void;
  create_sender(name: string, options: object): RheaSender;
  open_sender(options: object): RheaSender;
  open_receiver(options: object): RheaReceiver;
  _get_link(frame: Frame): RheaLink;
  output(performative: Performative, payload?: Uint8Array): void;
  on_transfer(frame: Frame): void;
  on_disposition(frame: Frame): void;
}

export interface RheaConnection extends EventEmitter {
  readonly heartbeat_in?: NodeJS.Timeout;
  readonly heartbeat_out?: NodeJS.Timeout;
  readonly abort_idle?: NodeJS.Timeout;
  readonly container_id?: string;
  readonly properties?: Readonly<Record<string, unknown>>;
  readonly offered_capabilities?: string | readonly string[];
  create_session(bufferSize: { readonly incoming: number; readonly outgoing: number }): RheaSession;
  connect(): void;
  close(): void;
}

/** How a client identifies itself (SASL). */
export interface Mechanism {
  start(answer: (error: unknown, response: Uint8Array | string) => void): void;
  step(challenge: unknown, answer: (error: unknown, response: Uint8Array | string) => void): void;
}

export interface ConnectOptions {
  readonly container_id: string;
  readonly hostname: string;
  readonly idle_time_out: number;
  readonly max_frame_size: number;
  readonly channel_max: number;
  readonly desired_capabilities: readonly string[];
  readonly sasl_mechanisms: Readonly<Record<string, () => Mechanism>>;
  readonly reconnect: false;
  readonly connection_details: () => {
    readonly connect: (port: number, host: string, options: unknown, connected: () => void) => Socket;
    readonly host: string;
    readonly port: number;
    readonly options: object;
  };
}

interface Library {
  create_container(options: { readonly id: string }): { create_connection(options: ConnectOptions): RheaConnection };
  readonly types: {
    wrap(value: unknown): Typed;
    wrap_symbol(value: string): Typed;
    wrap_binary(value: Uint8Array): Typed;
    wrap_described(value: unknown, descriptor: number | string): Typed;
  };
}

export const rhea = exportsOf(imported) as unknown as Library;

/** Names of the fields of performatives, by their places. */
export const field = {
  attach: { target: 6 },
  transfer: { deliveryId: 1, settled: 4, state: 7 },
  disposition: { first: 1, last: 2, state: 4 },
} as const;

/** Descriptors of the specification's states and targets. */
export const described = {
  accepted: 0x24,
  rejected: 0x25,
  released: 0x26,
  modified: 0x27,
  coordinator: 0x30,
  declare: 0x31,
  discharge: 0x32,
  declared: 0x33,
  transactional: 0x34,
} as const;

/** The outcome of a delivery, as it is sent. */
export function outcome(descriptor: number, ...fields: unknown[]): Typed {
  return rhea.types.wrap_described(fields, descriptor);
}
