/** A database for tests, and what its tests ask of it without a runtime. */
import type { ServerProcess } from "./server-process.ts";

export interface ServerOptions {
  /** Of the server's configuration. */
  readonly settings?: Readonly<Record<string, string>>;
  /** true: it takes encrypted connections, with the certificate of test/support/localhost-cert.ts. */
  readonly tls?: boolean;
}

export interface DatabaseServer {
  readonly kind: "postgres" | "mysql";
  readonly host: string;
  readonly port: number;
  readonly database: string;
  readonly username: string;
  readonly password: string;
  readonly process: ServerProcess;
  /** Runs a statement as the owner of the database; rows are lists of texts. */
  query(sql: string): Promise<readonly (readonly unknown[])[]>;
  /** Ends the server, and removes its files. */
  close(): Promise<void>;
}
