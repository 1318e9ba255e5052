/**
 * What the suite needs of a connector, whatever it connects to: something that a source reads (a table, a queue, a folder)
 * and something that a producer writes, each with texts in it. A connector joins the suite with one of these.
 */
import type { TestApp } from "../../support/start-app.ts";

export interface Connector {
  readonly name: string;
  /** true: what the route writes and the acknowledgement are one transaction, so that nothing may be doubled. */
  readonly exactlyOnce: boolean;
  /** false: another connector to the same server tries the cases that are alike for both. */
  readonly isWhole: boolean;
  /** Starts the server. */
  readonly start: () => Promise<Rig>;
}

export interface Rig {
  /** Secrets of the runtime, by their paths in SECRETS_DIR. */
  readonly secrets: Readonly<Record<string, string>>;
  /** Installs the connections that `from` and `to` use. */
  connect(app: Pick<TestApp, "api">): Promise<void>;
  /** Empties both ends. */
  reset(): Promise<void>;
  /** Resolves when the server has acknowledged all of them. */
  produce(texts: readonly string[]): Promise<void>;
  /** The texts that the producer has written, in their order. */
  consumed(): Promise<readonly string[]>;
  /** How many messages are left for the source. */
  left(): Promise<number>;
  /** The source as YAML in flow style. */
  readonly from: string;
  /** Sources of different routes that have this many messages under way together. */
  sources(underWay: number): readonly string[];
  /** A simple expression for a message's text. */
  readonly text: string;
  /** The step that writes a text, which an expression gives. */
  to(text: string): string;
  /** The name of the connection that `from` uses. */
  readonly connection: string;
  /** Sources that can never read, and what is reported. */
  readonly wrong: readonly (readonly [what: string, from: string, expected: RegExp])[];
  /** The document of a connection to another server, `host:port`. */
  elsewhere(server: string): Readonly<Record<string, unknown>>;
  /** The source with another connection. */
  fromElsewhere(connection: string): string;
  /** Starts a server that sends its clients to 169.254.169.254, and resolves with its port; absent: the protocol has no such message. */
  readonly sendsAway?: (() => Promise<{ readonly port: number; close(): void }>) | undefined;
  /** Ends the server; `restart` brings it back with what it had. SIGKILL is a crash. */
  stop(signal?: NodeJS.Signals): Promise<void>;
  restart(): Promise<void>;
  close(): Promise<void>;
}
