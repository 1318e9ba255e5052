/** The kamelets that every flow can use. */
import { databaseKamelets } from "./databases.ts";
import type { KameletDefinition } from "./definition.ts";
import { fieldKamelets } from "./fields.ts";
import { filterKamelets } from "./filters.ts";
import { httpKamelets } from "./http.ts";
import { jmsKamelets } from "./jms.ts";
import { kafkaKamelets } from "./kafka.ts";
import { logKamelets } from "./log.ts";
import { messageKamelets } from "./messages.ts";
import { mqttKamelets } from "./mqtt.ts";
import { rabbitKamelets } from "./rabbitmq.ts";
import { sourceKamelets } from "./sources.ts";

export const kamelets: readonly KameletDefinition[] = [
  ...sourceKamelets,
  ...httpKamelets,
  ...logKamelets,
  ...messageKamelets,
  ...fieldKamelets,
  ...filterKamelets,
  ...databaseKamelets,
  ...kafkaKamelets,
  ...rabbitKamelets,
  ...jmsKamelets,
  ...mqttKamelets,
];
