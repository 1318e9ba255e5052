/** Kamelets that consume topics of Kafka, or send to one. Those of older catalogues have the names of their login in their own. */
import { type KameletDefinition, needed, text, type WordedProperty } from "./definition.ts";

type Properties = Readonly<Record<string, WordedProperty>>;

/** How a kamelet logs in: its part of the name, what its title says, its properties, and the endpoint's parameters. */
interface Login {
  readonly part: string;
  readonly docs: string;
  readonly properties: Properties;
  readonly parameters: readonly string[];
}

const through = (...names: readonly string[]): readonly string[] => names.map((name) => `${name}: "{{?${name}}}"`);

const files = text("A file of Java's key stores, which are not read; the message says what to write in its place.");
const token = text("For a server of tokens, which is not asked here; the message says what to write in its place.");
const user = text("The user at the brokers.");
const password = text("The password of the user. Write a secret: `{{secret:NAME}}`.");

const oauth = ["oauthClientId", "oauthClientSecret", "oauthTokenEndpointUri", "oauthScope"];
const stores = [
  "sslTruststoreLocation",
  "sslTruststorePassword",
  "sslKeystoreLocation",
  "sslKeystorePassword",
  "sslKeyPassword",
];

const anyLogin: Login = {
  part: "",
  docs: "",
  properties: {
    saslAuthType: {
      type: "string",
      default: "NONE",
      enum: ["NONE", "PLAIN", "SCRAM_SHA_256", "SCRAM_SHA_512", "SSL", "OAUTH", "AWS_MSK_IAM", "KERBEROS"],
      words: "How it logs in with `saslUsername` and `saslPassword`; the connection is encrypted then.",
    },
    saslUsername: user,
    saslPassword: password,
    ...Object.fromEntries(oauth.map((name) => [name, token])),
    ...Object.fromEntries(stores.map((name) => [name, files])),
  },
  parameters: ['saslAuthType: "{{saslAuthType}}"', ...through("saslUsername", "saslPassword", ...oauth, ...stores)],
};

const noLogin: Login = { part: "-not-secured", docs: ", without a login", properties: {}, parameters: [] };

const scram: Login = {
  part: "-scram",
  docs: ", with a login by SCRAM",
  properties: {
    user: { ...user, required: true },
    password: { ...password, required: true },
    securityProtocol: {
      type: "string",
      default: "SASL_SSL",
      enum: ["SASL_SSL", "SASL_PLAINTEXT"],
      words: "Whether the connection is encrypted.",
    },
    saslMechanism: {
      type: "string",
      default: "SCRAM-SHA-512",
      enum: ["SCRAM-SHA-256", "SCRAM-SHA-512"],
      words: "The kind of SCRAM that the brokers know the user by.",
    },
  },
  parameters: [
    'saslUsername: "{{user}}"',
    'saslPassword: "{{password}}"',
    'securityProtocol: "{{securityProtocol}}"',
    'saslMechanism: "{{saslMechanism}}"',
  ],
};

const place: Properties = {
  topic: needed("The topic; a source may have several, with commas."),
  bootstrapServers: needed(
    "Brokers as `host:port`, with commas, which an EGRESS_ALLOW rule must name; `#name` is a named connection.",
  ),
};

const consuming: Properties = {
  autoCommitEnable: {
    type: "boolean",
    default: "true",
    words:
      "Commits the position of a record when its run has ended; with `false` only the step of manual commits does.",
  },
  allowManualCommit: { type: "boolean", default: "false", words: "Lets the step of manual commits commit a position." },
  pollOnError: {
    type: "string",
    default: "ERROR_HANDLER",
    enum: ["DISCARD", "ERROR_HANDLER", "RECONNECT", "RETRY", "STOP"],
    idle: "records that cannot be fetched are reported, and fetched again after a growing pause",
    words: "What happens when records cannot be fetched.",
  },
  autoOffsetReset: {
    type: "string",
    default: "latest",
    enum: ["latest", "earliest", "none"],
    words: "Where a group without a position begins.",
  },
  consumerGroup: text("The group whose members share the records; without one the flow's route has one of its own."),
  deserializeHeaders: {
    type: "boolean",
    default: "true",
    only: ["true"],
    why: "the headers of records are texts",
    words: "Gives the headers of records as texts.",
  },
  topicIsPattern: { type: "boolean", default: "false", words: "Reads `topic` as a regular expression." },
};

const ofConsumer: readonly string[] = [
  'brokers: "{{bootstrapServers}}"',
  'autoCommitEnable: "{{autoCommitEnable}}"',
  'allowManualCommit: "{{allowManualCommit}}"',
  'autoOffsetReset: "{{autoOffsetReset}}"',
  'groupId: "{{?consumerGroup}}"',
  'topicIsPattern: "{{topicIsPattern}}"',
  "headerDeserializer: text",
];

const batching: Properties = {
  batchSize: { type: "integer", default: "500", words: "The most records of a message." },
  pollTimeout: { type: "integer", default: "5000", words: "How many milliseconds the first record waits for others." },
  maxPollIntervalMs: {
    type: "integer",
    default: "300000",
    words: "How many milliseconds a run may take when the group shares out its partitions anew.",
  },
  batchingIntervalMs: { type: "integer", words: "How long the first record waits, in place of `pollTimeout`." },
};

const ofBatch: readonly string[] = [
  "batching: true",
  'maxPollRecords: "{{batchSize}}"',
  'pollTimeoutMs: "{{pollTimeout}}"',
  'maxPollIntervalMs: "{{maxPollIntervalMs}}"',
  'batchingIntervalMs: "{{?batchingIntervalMs}}"',
];

function source(login: Login, isBatch: boolean): KameletDefinition {
  const parameters = [...ofConsumer, ...(isBatch ? ofBatch : []), ...login.parameters];
  return {
    name: `kafka${isBatch ? "-batch" : ""}${login.part}-source`,
    docs: isBatch
      ? `Takes records from topics of Kafka${login.docs}; a message has many, as a list of exchanges.`
      : `Takes records from topics of Kafka${login.docs}; each is a message.`,
    properties: { ...place, ...login.properties, ...consuming, ...(isBatch && batching) },
    template: `from:
  uri: kafka
  parameters:
    topic: "{{topic}}"
${parameters.map((line) => `    ${line}`).join("\n")}
  steps:
    - to: kamelet:sink`,
  };
}

function sink(login: Login): KameletDefinition {
  return {
    name: `kafka${login.part}-sink`,
    docs: `Sends messages to a topic of Kafka${login.docs}. The headers key and partition-key, or ce-key and ce-partitionkey, say where a record goes.`,
    properties: { ...place, ...login.properties },
    template: `from:
  uri: kamelet:source
  steps:
    - choice:
        when:
          - simple: "\${header[key]}"
            steps:
              - setHeader: { name: CamelKafkaKey, simple: "\${header[key]}" }
          - simple: "\${header[ce-key]}"
            steps:
              - setHeader: { name: CamelKafkaKey, simple: "\${header[ce-key]}" }
    - choice:
        when:
          - simple: "\${header[partition-key]}"
            steps:
              - setHeader: { name: CamelKafkaPartitionKey, simple: "\${header[partition-key]}" }
          - simple: "\${header[ce-partitionkey]}"
            steps:
              - setHeader: { name: CamelKafkaPartitionKey, simple: "\${header[ce-partitionkey]}" }
    - to:
        uri: kafka
        parameters:
          topic: "{{topic}}"
          brokers: "{{bootstrapServers}}"
${login.parameters.map((line) => `          ${line}`).join("\n")}`.trimEnd(),
  };
}

function manualCommit(name: string, what: string): KameletDefinition {
  return {
    name,
    docs: `Commits the position of ${what}, when its run has ended; the source needs allowManualCommit.`,
    properties: {},
    template: `from:
  uri: kamelet:source
  steps:
    - filter:
        simple: "\${header.CamelKafkaManualCommit} != null"
        steps:
          - setProperty: { name: CamelKameletsCommitted, simple: "\${header.CamelKafkaManualCommit.commit()}" }
          - removeProperty: { name: CamelKameletsCommitted }`,
  };
}

const logins = [anyLogin, noLogin, scram];

export const kafkaKamelets: readonly KameletDefinition[] = [
  ...logins.flatMap((login) => [source(login, false), source(login, true), sink(login)]),
  manualCommit("kafka-manual-commit-action", "a record"),
  manualCommit("kafka-batch-manual-commit-action", "a batch of records"),
];
