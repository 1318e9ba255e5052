/**
 * The kamelets of the catalogue of Apache Camel Kamelets 4.22 that this runtime does not have, by what they need. They
 * distinguish what is missing here from unknown names.
 */

/** Components and data formats with the kamelets that are built on them. */
const byNeed: Readonly<Record<string, string>> = {
  avro: "avro-deserialize-action avro-serialize-action",
  "aws-bedrock": "aws-bedrock-agent-runtime-sink aws-bedrock-text-sink",
  "aws-cloudtrail": "aws-cloudtrail-source",
  "aws-secrets-manager": "aws-secrets-manager-sink",
  "aws2-comprehend": "aws-comprehend-sink",
  "aws2-cw": "aws-cloudwatch-sink",
  "aws2-ddb": "aws-ddb-sink aws-ddb-streams-source",
  "aws2-ec2": "aws-ec2-sink",
  "aws2-eventbridge": "aws-eventbridge-sink",
  "aws2-kinesis": "aws-kinesis-firehose-sink aws-kinesis-sink aws-kinesis-source",
  "aws2-lambda": "aws-lambda-sink",
  "aws2-polly": "aws-polly-sink",
  "aws2-s3": "aws-s3-sink aws-s3-source aws-s3-streaming-upload-sink ceph-sink ceph-source",
  "aws2-ses": "aws-ses-sink",
  "aws2-sns": "aws-sns-fifo-sink aws-sns-sink",
  "aws2-sqs": "aws-s3-event-based-source aws-sqs-batch-sink aws-sqs-fifo-sink aws-sqs-sink aws-sqs-source",
  "aws2-sts": "aws-sts-assume-role-action",
  "aws2-timestream": "aws-timestream-query-sink",
  "aws2-translate": "aws-translate-action",
  "azure-cosmosdb": "azure-cosmosdb-sink azure-cosmosdb-source",
  "azure-eventhubs": "azure-eventhubs-sink azure-eventhubs-source",
  "azure-files": "azure-storage-files-source",
  "azure-servicebus": "azure-servicebus-sink azure-servicebus-source azure-storage-blob-event-based-source",
  "azure-storage-blob":
    "azure-storage-blob-append-sink azure-storage-blob-changefeed-source azure-storage-blob-sink azure-storage-blob-source azure-storage-files-sink",
  "azure-storage-datalake": "azure-storage-datalake-sink azure-storage-datalake-source",
  "azure-storage-queue": "azure-storage-queue-sink azure-storage-queue-source",
  caffeine: "caffeine-action earthquake-source",
  chunk: "chunk-template-action",
  couchbase: "couchbase-sink",
  cql: "cassandra-sink cassandra-source",
  crypto: "crypto-decrypt-action crypto-encrypt-action",
  djl: "djl-image-to-text-action",
  dns: "dns-dig-action dns-ip-action dns-lookup-action",
  dropbox: "dropbox-sink dropbox-source",
  elasticsearch: "elasticsearch-index-sink elasticsearch-search-source",
  exec: "exec-sink",
  fhir: "fhir-sink fhir-source",
  "file-watch": "file-watch-source",
  freemarker: "freemarker-template-action",
  geocoder: "nominatim-geocode-action",
  github2:
    "github-commit-source github-event-source github-pullrequest-comment-source github-pullrequest-source github-tag-source",
  "google-bigquery": "google-bigquery-sink",
  "google-calendar": "google-calendar-source",
  "google-functions": "google-functions-sink",
  "google-mail": "google-mail-source",
  "google-pubsub": "google-pubsub-sink google-pubsub-source google-storage-event-based-source",
  "google-sheets": "google-sheets-sink google-sheets-source",
  "google-storage": "google-storage-sink google-storage-source",
  "google-vertexai": "google-vertexai-sink",
  graphql: "graphql-sink",
  "ibm-cos": "ibm-cos-sink ibm-cos-source",
  "ibm-watson-language": "ibm-watson-language-sink",
  infinispan: "infinispan-sink infinispan-source",
  jira: "jira-add-comment-sink jira-add-issue-sink jira-oauth-source jira-source jira-transition-issue-sink jira-update-issue-sink",
  jolt: "jolt-transformation-action",
  jslt: "jslt-action",
  "json-patch": "json-patch-action",
  "kafka with a schema registry":
    "kafka-apicurio-registry-not-secured-sink kafka-apicurio-registry-not-secured-source kafka-azure-schema-registry-sink kafka-azure-schema-registry-source kafka-batch-apicurio-registry-not-secured-source kafka-batch-apicurio-registry-source kafka-batch-azure-schema-registry-source kafka-not-secured-apicurio-registry-json-source kafka-not-secured-apicurio-registry-sink kafka-not-secured-apicurio-registry-source",
  kubernetes: "kubernetes-namespaces-source kubernetes-nodes-source kubernetes-pods-source",
  mail: "mail-imap-source mail-sink ms-exchange-online-imap-oauth-source",
  minio: "minio-sink minio-source",
  mongodb: "mongodb-changes-stream-source mongodb-sink mongodb-source",
  mvel: "mvel-template-action",
  nats: "nats-sink nats-source",
  opensearch: "opensearch-index-sink opensearch-search-source",
  pdf: "pdf-action",
  protobuf: "protobuf-deserialize-action protobuf-serialize-action resolve-pojo-schema-action",
  pulsar: "pulsar-sink pulsar-source",
  "rest-openapi": "rest-openapi-sink",
  salesforce:
    "salesforce-composite-upsert-sink salesforce-create-sink salesforce-delete-sink salesforce-source salesforce-update-sink",
  scp: "scp-sink",
  slack: "slack-sink slack-source",
  solr: "solr-sink solr-source",
  splunk: "splunk-sink splunk-source",
  "splunk-hec": "splunk-hec-sink",
  "spring-redis": "redis-sink redis-source",
  ssh: "ssh-sink ssh-source",
  "string-template": "string-template-action",
  telegram: "telegram-sink telegram-source",
  twitter: "twitter-directmessage-source twitter-search-source twitter-timeline-source",
  velocity: "velocity-template-action",
  "vertx-http": "azure-functions-sink",
  xchange: "bitcoin-source",
  xj: "xj-identity-action xj-template-action",
};

/** Databases whose protocol no driver here speaks, by the beginning of their kamelets' names. */
const databases: Readonly<Record<string, string>> = {
  sqlserver: "Microsoft SQL Server",
  "oracle-database": "Oracle Database",
  snowflake: "Snowflake",
  databricks: "Databricks",
};

/** Kamelets that no part of this runtime can stand for, with the reason. */
const impossible: Readonly<Record<string, string>> = Object.fromEntries(
  ["jms-ibm-mq-sink", "jms-ibm-mq-source"].map((name) => [
    name,
    "it connects over a channel of MQ's own protocol (SVRCONN), for which there is no client outside of the JVM: start an AMQP channel in the queue manager, and write jms:queue:NAME with a connection of kind amqp to it",
  ]),
);

/** Kamelets of components that are here. */
const ofSteps = new Set(
  (
    "counter-source drop-field-action ftp-sink ftp-source ftps-sink ftps-source hoist-field-action " +
    "json-schema-validator-action jsonata-action mask-field-action message-timestamp-router-action " +
    "mustache-template-action ogcapi-features-action pqc-kem-action pqc-signature-action regex-router-action " +
    "replace-field-action set-kafka-key-action sftp-sink sftp-source timestamp-router-action " +
    "value-to-key-action webhook-source wttrin-source"
  ).split(" "),
);

const needs = new Map(
  Object.entries(byNeed).flatMap(([need, names]) => names.split(" ").map((name) => [name, need] as const)),
);

/** Returns why this runtime lacks a kamelet of Camel's, and what to write; undefined for a name that Camel does not have. */
export function missingKamelet(name: string): string | undefined {
  const need = needs.get(name);
  if (need !== undefined) return `it is built on '${need}', which is part of Camel; this runtime does not have it yet`;
  if (Object.hasOwn(impossible, name)) return impossible[name];
  const database = databases[name.replace(/-(?:sink|source)$/, "")];
  if (database !== undefined)
    return `there is no driver for ${database} here: databases are PostgreSQL, MySQL and MariaDB; reach it over a service that speaks HTTP`;
  return ofSteps.has(name)
    ? "it is part of Camel; this runtime does not have it yet: write its steps in its place"
    : undefined;
}
