/** Kamelets that poll a database or write to one. */
import { type KameletDefinition, needed, text, type WordedProperty } from "./definition.ts";

interface Kind {
  /** In the kamelets' names. */
  readonly name: string;
  readonly title: string;
  readonly kind: "postgres" | "mysql";
  readonly port: string;
  /** true: its servers want encrypted connections, with a certificate of a public authority. */
  readonly tls?: true;
}

const kinds: readonly Kind[] = [
  { name: "postgresql", title: "PostgreSQL", kind: "postgres", port: "5432" },
  { name: "mysql", title: "MySQL", kind: "mysql", port: "3306" },
  { name: "mariadb", title: "MariaDB", kind: "mysql", port: "3306" },
  { name: "aws-redshift", title: "Amazon Redshift", kind: "postgres", port: "5439", tls: true },
];

function server({ port }: Kind): Readonly<Record<string, WordedProperty>> {
  return {
    serverName: needed("The host of the server; an EGRESS_ALLOW rule must name it with its port."),
    serverPort: {
      ...text("The port at which the server takes connections, when it is not the usual one."),
      default: port,
    },
    username: needed("The user at the server."),
    password: needed("The password of the user. Write a secret: `{{secret:NAME}}`."),
    databaseName: needed("The name of the database on the server."),
  };
}

const endpoint = (kind: Kind, more = ""): string => `
      kind: ${kind.kind}
      host: "{{serverName}}"
      port: "{{serverPort}}"
      databaseName: "{{databaseName}}"
      username: "{{username}}"
      password: "{{password}}"
      tls: ${kind.tls === true}
      query: "{{query}}"${more}`;

function sink(kind: Kind): KameletDefinition {
  return {
    name: `${kind.name}-sink`,
    docs: `Sends a statement to a ${kind.title} database for each message, whose body is a JSON object with the values.`,
    properties: {
      ...server(kind),
      query: needed("The statement, such as `insert into accounts (name, city) values (:#name, :#city)`."),
    },
    template: `from:
  uri: kamelet:source
  steps:
    - unmarshal: { json: {} }
    - to:
        uri: sql
        parameters:${endpoint(kind).replaceAll("\n      ", "\n          ")}`,
  };
}

function source(kind: Kind): KameletDefinition {
  return {
    name: `${kind.name}-source`,
    docs: `Polls a ${kind.title} database; each row is a message, a JSON object.`,
    properties: {
      ...server(kind),
      query: needed("The query, such as `select * from orders where done = false order by id`."),
      consumedQuery: text(
        "The statement that runs when a row's message has gone its way, such as `delete from orders where id = :#id`.",
      ),
      deliveryKey: text(
        "The columns by which a row is known again after its thread was lost, with commas; by default the table's primary key. Camel does not have it.",
      ),
      delay: { type: "integer", default: "500", words: "Milliseconds between two polls." },
    },
    template: `from:
  uri: sql
  parameters:${endpoint(kind, '\n      onConsume: "{{?consumedQuery}}"\n      deliveryKey: "{{?deliveryKey}}"\n      delay: "{{delay}}"').replaceAll("\n      ", "\n    ")}
  steps:
    - marshal: { json: {} }
    - to: kamelet:sink`,
  };
}

export const databaseKamelets: readonly KameletDefinition[] = kinds.flatMap((kind) => [sink(kind), source(kind)]);
