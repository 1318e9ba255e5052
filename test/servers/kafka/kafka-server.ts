/** Kafka from Maven Central: one broker that is its own controller (KRaft), in a process of its own, on loopback. */
import { join } from "node:path";
import { cert, key } from "../../support/localhost-cert.ts";
import { mavenFolder } from "../maven.ts";
import { freePort } from "../ports.ts";
import { program, runToEnd, ServerProcess, serverFile, serverFolder } from "../server-process.ts";

export interface KafkaServer {
  readonly process: ServerProcess;
  /** Ports of its listeners: without a login, with one, and with one over TLS. */
  readonly ports: {
    readonly plain: number;
    readonly sasl: number;
    readonly secure: number;
    /** Another one with a login, which the broker announces at the next port: something must lead from there to here. */
    readonly behind: number;
    readonly announced: number;
  };
  /** The user that logs in, by PLAIN and SCRAM. */
  readonly username: string;
  readonly password: string;
  close(): Promise<void>;
}

const artifacts = ["org.apache.kafka:kafka_2.13:4.2.2", "org.slf4j:slf4j-simple:1.7.36"];
const login = "org.apache.kafka.common.security";

/** Returns the path of Java and the class path. Throws Unavailable. */
export function installKafka(): { readonly java: string; readonly jars: string } {
  const java = program("/usr/bin/java", ["openjdk-17-jdk-headless"]);
  return { java, jars: `${mavenFolder("kafka", artifacts)}/*` };
}

/** `advertised`: the address that the broker announces in place of its own. Throws Unavailable. */
export async function startKafka({
  advertised,
  settings = {},
}: {
  readonly advertised?: string;
  readonly settings?: Readonly<Record<string, string>>;
} = {}): Promise<KafkaServer> {
  const { java, jars } = installKafka();
  const cwd = await serverFolder("kafka", undefined);
  const [plain, sasl, secure, controller] = [await freePort(), await freePort(), await freePort(), await freePort()];
  const [behind, announced] = [await freePort(), await freePort()];
  const [username, password] = ["tester", "test-secret"];
  const plainModule = `${login}.plain.PlainLoginModule required user_${username}="${password}";`;
  const scramModule = `${login}.scram.ScramLoginModule required;`;
  const tokenModule = `${login}.oauthbearer.OAuthBearerLoginModule required unsecuredLoginStringClaim_sub="${username}";`;
  const ofListener = (name: string): Record<string, string> => ({
    [`listener.name.${name}.sasl.enabled.mechanisms`]: "PLAIN,SCRAM-SHA-256,SCRAM-SHA-512,OAUTHBEARER",
    [`listener.name.${name}.plain.sasl.jaas.config`]: plainModule,
    [`listener.name.${name}.scram-sha-256.sasl.jaas.config`]: scramModule,
    [`listener.name.${name}.scram-sha-512.sasl.jaas.config`]: scramModule,
    [`listener.name.${name}.oauthbearer.sasl.jaas.config`]: tokenModule,
  });
  const config = {
    "process.roles": "broker,controller",
    "node.id": "1",
    "controller.quorum.bootstrap.servers": `127.0.0.1:${controller}`,
    listeners: `PLAIN://127.0.0.1:${plain},SASL://127.0.0.1:${sasl},SECURE://127.0.0.1:${secure},BEHIND://127.0.0.1:${behind},CONTROLLER://127.0.0.1:${controller}`,
    "advertised.listeners": `PLAIN://${advertised ?? `127.0.0.1:${plain}`},SASL://127.0.0.1:${sasl},SECURE://localhost:${secure},BEHIND://127.0.0.1:${announced}`,
    "listener.security.protocol.map":
      "PLAIN:PLAINTEXT,SASL:SASL_PLAINTEXT,SECURE:SASL_SSL,BEHIND:SASL_PLAINTEXT,CONTROLLER:PLAINTEXT",
    "inter.broker.listener.name": "PLAIN",
    "controller.listener.names": "CONTROLLER",
    "log.dirs": join(cwd, "data"),
    "num.partitions": "1",
    "auto.create.topics.enable": "false",
    "offsets.topic.replication.factor": "1",
    "offsets.topic.num.partitions": "1",
    "transaction.state.log.replication.factor": "1",
    "transaction.state.log.min.isr": "1",
    "group.initial.rebalance.delay.ms": "0",
    "group.coordinator.rebalance.protocols": "classic,consumer",
    "ssl.keystore.type": "PEM",
    "ssl.keystore.location": await serverFile(cwd, undefined, "server.pem", `${key}\n${cert}`),
    ...ofListener("sasl"),
    ...ofListener("secure"),
    ...ofListener("behind"),
    ...settings,
  };
  const lines = Object.entries(config).map(([name, value]) => `${name}=${value}`);
  const file = await serverFile(cwd, undefined, "server.properties", lines.join("\n"));
  const scram = ["SCRAM-SHA-256", "SCRAM-SHA-512"].flatMap((mechanism) => [
    "--add-scram",
    `${mechanism}=[name=${username},password=${password}]`,
  ]);
  const id = "dGVzdC1jbHVzdGVyLWlkLQ";
  const format = ["-cp", jars, "kafka.tools.StorageTool", "format", "--standalone", "-t", id, "-c", file, ...scram];
  runToEnd({ command: java, args: format, user: undefined, cwd });
  const simple = "-Dorg.slf4j.simpleLogger";
  const logging = [`${simple}.defaultLogLevel=error`, `${simple}.log.kafka.server=info`];
  const memory = ["-Xmx256m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1"];
  const args = [...memory, ...logging, "-cp", jars, "kafka.Kafka", file];
  const process = new ServerProcess({ command: java, args, user: undefined, cwd }, /Kafka Server started/, "SIGTERM");
  await process.start();
  return {
    process,
    ports: { plain, sasl, secure, behind, announced },
    username,
    password,
    close: () => process.remove(),
  };
}
