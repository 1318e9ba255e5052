/**
 * What the suite needs of a connector, whatever it connects to: something that a source reads (a table, a queue, a folder)
 * and something that a producer writes, each with texts in it. A connector joins the suite with one of these.
 */
import type { TestApp } from "../../support/start-app.ts";

/**
 * What some cases ask of code that connectors share: the runtime itself, one of the two ways in which deliveries are counted
 * (in the state store, and by the server), and a window of messages that a connector reads ahead.
 */
export type Question = "runtime" | "counting" | "window";

export interface Connector {
  readonly name: string;
  /** true: what the route writes and the acknowledgement are one transaction, so that nothing may be doubled. */
  readonly exactlyOnce: boolean;
  /** false: another connector to the same server tries the cases that are alike for both. */
  readonly isWhole: boolean;
  /** The questions that are asked of this connector, on behalf of all that share the code. */
  readonly answersFor?: readonly Question[];
  /** The most messages of its consumer that are under way at once, so that a loss may double as many; absent: one. */
  readonly window?: number;
  /** true: the server counts how often it has delivered a message. */
  readonly countsItself?: true;
  /** Starts the server. */
  readonly start: () => Promise<Rig>;
}

/** A runtime, as far as a rig uses it. */
export interface Reachable {
  readonly url: string;
  api(path: string, init?: RequestInit): Promise<Response>;
}

export interface Rig {
  /** Secrets of the runtime, by their paths in SECRETS_DIR. */
  readonly secrets: Readonly<Record<string, string>>;
  /** Installs the connections that `from` and `to` use. */
  connect(runtime: Reachable): Promise<void>;
  /** Names the runtime that has both ends from here on; absent: they are in a server, whatever runs. */
  follow?(runtime: Reachable): void;
  /** Empties both ends. */
  reset(): Promise<void>;
  /** Resolves when all of them are acknowledged. */
  produce(texts: readonly string[]): Promise<void>;
  /** The texts that the producer has written, in their order. */
  consumed(): Promise<readonly string[]>;
  /** How many messages are left for the source. */
  left(): Promise<number>;
  /** The source as YAML in flow style. */
  readonly from: string;
  /** Sources of different routes that have this many messages under way together. */
  sources(underWay: number): readonly string[];
  /** The most messages that are written and not acknowledged yet at a time; absent: any number. */
  readonly mostWritten?: number;
  /** A simple expression for a message's text. */
  readonly text: string;
  /** The step that writes a text, which an expression gives. */
  to(text: string): string;
  /** The name of the connection that `from` uses. */
  readonly connection: string;
  /** Sources that can never read, and what is reported. */
  readonly wrong: readonly (readonly [what: string, from: string, expected: RegExp])[];
  /** Absent: there is no server, and the cases that need one are left out. */
  readonly server?: ServerEnd;
  /** The runtime's own process that serves the connection; absent: there is none, and the cases that need one are left out. */
  readonly process?: ProcessEnd;
  close(): Promise<void>;
}

export interface ServerEnd {
  /** The document of a connection to another server, `host:port`. */
  elsewhere(server: string): Readonly<Record<string, unknown>>;
  /** The source with another connection. */
  fromElsewhere(connection: string): string;
  /** Starts a server that sends its clients to 169.254.169.254, and resolves with its port; undefined: the protocol has no such message. */
  readonly sendsAway: (() => Promise<{ readonly port: number; close(): void }>) | undefined;
  /** Of a server that tells its clients where to connect to: the port that it names beside its own, and where that must lead. */
  readonly announced?: { readonly port: number; readonly real: { readonly host: string; readonly port: number } };
  /** true: a crash loses what the server has acknowledged. */
  readonly losesAtCrash?: true;
  /** Ends the server; `restart` brings it back with what it had. SIGKILL is a crash. */
  stop(signal?: NodeJS.Signals): Promise<void>;
  restart(): Promise<void>;
}

export interface ProcessEnd {
  /** Kills it; the runtime starts another one. */
  kill(app: Pick<TestApp, "directory">): Promise<void>;
  /** What the runtime logs each time. */
  readonly reported: RegExp;
}
