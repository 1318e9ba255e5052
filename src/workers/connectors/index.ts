/** All connectors: the drivers of named connections, one for each kind. */
import type { ConnectorDefinition } from "../engine/connections/connection.ts";
import { amqp } from "./amqp.ts";
import { embedded } from "./embedded.ts";
import { ftp } from "./ftp.ts";
import { http } from "./http.ts";
import { kafka } from "./kafka.ts";
import { mqtt } from "./mqtt.ts";
import { mysql } from "./mysql.ts";
import { postgres } from "./postgres.ts";
import { rabbitmq } from "./rabbitmq.ts";
import { sftp } from "./sftp.ts";
import { smtp } from "./smtp.ts";

export const connectors: readonly ConnectorDefinition[] = [
  amqp,
  embedded,
  kafka,
  mysql,
  postgres,
  rabbitmq,
  smtp,
  sftp,
  ftp,
  mqtt,
  http,
];
