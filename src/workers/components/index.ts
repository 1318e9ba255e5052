/** The registry of components. */
import type { ComponentDefinition } from "../engine/component.ts";
import { controlbus } from "./controlbus.ts";
import { cron } from "./cron.ts";
import { direct } from "./direct.ts";
import { file } from "./file.ts";
import { ftp, ftps } from "./ftp.ts";
import { http, https } from "./http.ts";
import { jdbc, springJdbc } from "./jdbc.ts";
import { activemq, activemq6, amqp, jms } from "./jms.ts";
import { jsonValidator } from "./json-validator.ts";
import { kafka } from "./kafka.ts";
import { language } from "./language.ts";
import { log } from "./log.ts";
import { mapping } from "./mapping.ts";
import { mock } from "./mock.ts";
import { mustache } from "./mustache.ts";
import { paho, pahoMqtt5 } from "./paho.ts";
import { platformHttp } from "./platform-http.ts";
import { quartz } from "./quartz.ts";
import { rabbitmq, springRabbitmq } from "./rabbitmq.ts";
import { scheduler } from "./scheduler.ts";
import { seda, stub } from "./seda.ts";
import { sftp } from "./sftp.ts";
import { smtp, smtps } from "./smtp.ts";
import { sql } from "./sql.ts";
import { sqlStored } from "./sql-stored.ts";
import { timer } from "./timer.ts";
import { webhook } from "./webhook.ts";

export const components: readonly ComponentDefinition[] = [
  activemq,
  activemq6,
  amqp,
  controlbus,
  cron,
  direct,
  file,
  ftp,
  ftps,
  http,
  https,
  jdbc,
  jms,
  jsonValidator,
  kafka,
  language,
  log,
  mapping,
  mock,
  mustache,
  paho,
  pahoMqtt5,
  platformHttp,
  quartz,
  rabbitmq,
  scheduler,
  seda,
  stub,
  sftp,
  smtp,
  smtps,
  springJdbc,
  springRabbitmq,
  sql,
  sqlStored,
  timer,
  webhook,
];
