/** All kinds of named connections. A kind is one file here, and one driver in workers/connectors. */
import { amqp } from "./amqp.ts";
import { embedded } from "./embedded.ts";
import { ftp } from "./ftp.ts";
import { http } from "./http.ts";
import { kafka } from "./kafka.ts";
import type { ConnectionKind } from "./kind.ts";
import { mqtt } from "./mqtt.ts";
import { mysql } from "./mysql.ts";
import { postgres } from "./postgres.ts";
import { rabbitmq } from "./rabbitmq.ts";
import { sftp } from "./sftp.ts";
import { smtp } from "./smtp.ts";

export const connectionKinds: readonly ConnectionKind[] = [
  postgres,
  mysql,
  embedded,
  amqp,
  rabbitmq,
  smtp,
  kafka,
  sftp,
  ftp,
  mqtt,
  http,
];

const byName = new Map(connectionKinds.map((kind) => [kind.name, kind]));

export function connectionKind(name: string): ConnectionKind | undefined {
  return byName.get(name);
}
