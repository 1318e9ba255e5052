/** Reads documents of named connections. Secrets in them are names, never values. */
import * as z from "zod";
import type { ConnectionModel, ConnectionServer } from "../../shared/connection.ts";
import {
  type ConnectionKind,
  expectedOption,
  isOptionValue,
  type KindField,
  kindFields,
  type OptionValue,
  optionDefaults,
} from "../../shared/connections/kind.ts";
import { connectionKind, connectionKinds } from "../../shared/connections/kinds.ts";
import { patternProblem, readServer } from "../../shared/connections/servers.ts";
import { expect, fields, isFields, text, whole } from "../../shared/document-fields.ts";
import { secretNameProblem, secretNameSchema } from "../../shared/secret-mark.ts";
import { readTls, type TlsSettings } from "./tls-settings.ts";

export interface ConnectionDocument {
  readonly kind: string;
  readonly servers: readonly ConnectionServer[];
  readonly alsoServers: readonly string[];
  readonly database?: string | undefined;
  readonly username?: string | undefined;
  readonly passwordRef?: string | undefined;
  readonly privateKeyRef?: string | undefined;
  readonly passphraseRef?: string | undefined;
  readonly tls?: TlsSettings | undefined;
  readonly options: Readonly<Record<string, OptionValue>>;
  readonly maxConnections: number;
  readonly default: boolean;
  /** Patterns of the ids of flows that may use it; undefined: those of its own group. */
  readonly flows?: readonly string[] | undefined;
}

const mostServers = 32;
const mostPatterns = 100;
const mostPlaces = 10_000;

const inSecrets =
  'passwords are not kept in documents: put it into SECRETS_DIR/_connections/NAME, and write "passwordRef": "NAME"';
const asServers = 'write "servers": ["host:port"], and database, username, passwordRef and tls beside it';

/** What stands for fields that other programs have. */
const hints = {
  password: inSecrets,
  secret: inSecrets,
  url: asServers,
  jdbcUrl: asServers,
  uri: asServers,
  user: "write username",
  ssl: 'write "tls": {}',
  secretRef: "write passwordRef",
  brokers: "write servers",
  hosts: "write servers",
  name: "the name is that of the path: leave it out",
};

const reference = z
  .custom<string>(
    (value) => typeof value === "string" && secretNameProblem(value) === undefined,
    "the name of a file in SECRETS_DIR/_connections is expected, such as ORDERS_DB, not the secret itself",
  )
  .meta(secretNameSchema);

const server = z.transform((value: unknown, { addIssue }): ConnectionServer => {
  const read = readServer(value);
  if (typeof read !== "string") return read;
  addIssue(read);
  return z.NEVER;
});

function listOf<T extends z.ZodType>(entry: T, most: number, what: string) {
  return z
    .array(entry, `a list of ${what} is expected`)
    .min(1, `at least one of ${what} is expected`)
    .max(most, `at most ${most} of ${what} are expected`);
}

const alsoServer = z.custom<string>().superRefine((value, { addIssue }) => {
  const problem = patternProblem(value);
  if (problem !== undefined) addIssue(problem);
});

const flowGrammar = /^[A-Za-z0-9._*-]{1,128}$/;
const flowPattern = z
  .custom<string>(
    (value) => typeof value === "string" && flowGrammar.test(value),
    "a flow's id is expected, or a pattern such as team-a.* or *",
  )
  .meta({ type: "string", pattern: flowGrammar.source });

/** Fields by the words that documentation has for them. */
export const fieldWords = {
  kind: `What it connects to: ${connectionKinds.map(({ name }) => name).join(", ")}.`,
  servers: "The servers, each as `host:port`, in the order in which they are tried.",
  host: "One server, in place of `servers`.",
  port: "The port of `host`; left out: the one that servers of the kind usually have.",
  alsoServers:
    "Patterns of further addresses that its servers announce, each with a port: `*.db.example.org:5432`, `10.0.0.0/8:9092`.",
  database: "The name of the database.",
  username: "The user to log in as.",
  passwordRef:
    "The file in `SECRETS_DIR/_connections` that holds the password. It is read anew for each connection that is opened.",
  privateKeyRef:
    "The file in `SECRETS_DIR/_connections` that holds the user's private key, in OpenSSH's or PEM format, in place of a password or beside it.",
  passphraseRef: "The file in `SECRETS_DIR/_connections` that holds what the private key is encrypted with.",
  tls: "Encrypts the connection, and checks the server's certificate. `ca`: authorities as PEM, in place of the runtime's; `certRef`, `keyRef`: files in `SECRETS_DIR/_connections` with the client's certificate and key; `serverName`: the name in the server's certificate, if it is not the host's. `{}` has none of these.",
  options: "Options of the kind.",
  maxConnections:
    "The most open connections, over all threads of all flows; more runs wait. Left out: what is usual for the kind.",
  default: "true: endpoints that name no connection use this one. At most one of a kind and group.",
  flows:
    'Which flows may use it: ids and patterns, such as `team-a.*`; `["*"]`: all. Left out: those of its own group, which is its name up to the first dot.',
} as const;

/** Without what depends on the kind. */
export const documentSchema = fields(
  {
    kind: z.custom<string>(
      (value) => typeof value === "string" && connectionKind(value) !== undefined,
      `${connectionKinds.map(({ name }) => name).join(", ")} is expected`,
    ),
    servers: listOf(server, mostServers, "servers, each as host:port,").optional(),
    host: text(253).optional(),
    port: whole(1, 65_535).optional(),
    alsoServers: listOf(alsoServer, mostPatterns, "patterns").optional(),
    database: text(200).optional(),
    username: text(200).optional(),
    passwordRef: reference.optional(),
    privateKeyRef: reference.optional(),
    passphraseRef: reference.optional(),
    tls: readTls(reference).optional(),
    options: expect<Readonly<Record<string, unknown>>>("an object of options is", isFields).optional(),
    maxConnections: whole(1, mostPlaces).optional(),
    default: expect<boolean>("true or false is", (value) => typeof value === "boolean")
      .meta({ type: "boolean" })
      .optional(),
    flows: listOf(flowPattern, mostPatterns, "flows").optional(),
  },
  { strict: true, hints },
);

type Sent = z.output<typeof documentSchema>;
type Report = (path: readonly string[], message: string) => void;

/** The schema for `readDocument`. */
export const connectionDocument = documentSchema.transform((sent, { addIssue }): ConnectionDocument => {
  const report: Report = (path, message) => addIssue({ code: "custom", path: [...path], message });
  const kind = connectionKind(sent.kind) as ConnectionKind;
  checkFields(kind, sent, report);
  const { database, username, passwordRef, privateKeyRef, passphraseRef, tls, flows } = sent;
  const read = {
    kind: sent.kind,
    servers: serversOf(kind, sent, report),
    alsoServers: sent.alsoServers ?? [],
    ...{ database, username, passwordRef, privateKeyRef, passphraseRef, tls, flows },
    options: { ...optionDefaults(kind), ...optionsOf(kind, sent.options ?? {}, report) },
    maxConnections: sent.maxConnections ?? kind.maxConnections,
    default: sent.default ?? false,
  };
  for (const [field, problem] of kind.problems?.(read) ?? []) report([field], problem);
  return read;
});

function checkFields(kind: ConnectionKind, sent: Sent, report: Report): void {
  const of = (name: KindField): unknown => sent[name];
  for (const name of kindFields) {
    if (of(name) !== undefined && !kind.fields.includes(name))
      report([name], `connections of the kind ${kind.name} have none: leave it out`);
  }
  for (const name of kind.required) if (of(name) === undefined) report([name], `it is missing: ${fieldWords[name]}`);
}

function serversOf(
  kind: ConnectionKind,
  { servers, host, port, alsoServers, tls }: Sent,
  report: Report,
): readonly ConnectionServer[] {
  if (kind.port === undefined) {
    for (const [name, value] of Object.entries({ servers, host, port, alsoServers }))
      if (value !== undefined) report([name], `connections of the kind ${kind.name} have no servers: leave it out`);
    return [];
  }
  const usual = tls === undefined ? kind.port : (kind.tlsPort ?? kind.port);
  if (servers !== undefined) {
    if (host !== undefined || port !== undefined) report(["host"], "write either servers, or host and port");
    return servers.map((one) => (one.port === 0 ? { ...one, port: usual } : one));
  }
  if (kind.isOpen === true && host === undefined && port === undefined) return [];
  const read = readServer(host === undefined ? undefined : host);
  if (typeof read === "string") {
    report(
      host === undefined ? [] : ["host"],
      host === undefined ? 'it names no server: write "servers": ["host:port"], or host and port' : read,
    );
    return [];
  }
  if (read.port !== 0 && port !== undefined) report(["port"], "the port is in host already");
  return [{ host: read.host, port: port ?? (read.port || usual) }];
}

function optionsOf(
  kind: ConnectionKind,
  sent: Readonly<Record<string, unknown>>,
  report: Report,
): Record<string, OptionValue> {
  const read: Record<string, OptionValue> = {};
  for (const [name, value] of Object.entries(sent)) {
    const field = Object.hasOwn(kind.options, name) ? kind.options[name] : undefined;
    if (field !== undefined) {
      if (isOptionValue(field, value)) read[name] = value;
      else report(["options", name], `${expectedOption(field)} is expected`);
      continue;
    }
    const refused = Object.hasOwn(kind.refused, name) ? kind.refused[name] : undefined;
    const known = Object.keys(kind.options);
    const none = known.length === 0 ? "the kind has no options" : `the kind has ${known.join(", ")}`;
    report(["options", name], refused ?? `unknown option: ${none}`);
  }
  return read;
}

/** Makes what threads get of a document. */
export function connectionModel(name: string, revision: number, document: ConnectionDocument): ConnectionModel {
  const { kind, servers, alsoServers, database, username, tls, options, maxConnections } = document;
  const { ca, serverName } = tls ?? {};
  return {
    ...{ name, kind, revision, servers, alsoServers, options, maxConnections },
    ...(database !== undefined && { database }),
    ...(username !== undefined && { username }),
    ...(tls !== undefined && {
      tls: { ...(ca !== undefined && { ca }), ...(serverName !== undefined && { serverName }) },
    }),
  };
}
