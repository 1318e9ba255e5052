/** All functions of simple by name, and those of Camel that are not supported, with alternatives. */

import type { FunctionTable } from "../eval.ts";
import { attachmentFunctions } from "./attachment.ts";
import { changeFunctions } from "./change.ts";
import { collectionFunctions, eachFunctions } from "./collection.ts";
import { dateFunctions } from "./date.ts";
import { fileFunctions } from "./file.ts";
import { mappingFunctions } from "./mapping.ts";
import { messageFunctions } from "./message.ts";
import { miscFunctions } from "./misc.ts";
import { numberFunctions } from "./number.ts";
import { parameterFunctions } from "./parameters.ts";
import { queryFunctions } from "./query.ts";
import { reportFunctions } from "./report.ts";
import { textFunctions } from "./text.ts";

export const functions: FunctionTable = {
  ...messageFunctions,
  ...attachmentFunctions,
  ...textFunctions,
  ...numberFunctions,
  ...collectionFunctions,
  ...changeFunctions,
  ...eachFunctions,
  ...dateFunctions,
  ...miscFunctions,
  ...parameterFunctions,
  ...queryFunctions,
  ...fileFunctions,
  ...reportFunctions,
  ...mappingFunctions,
};

const noEnvironment = "write {{env:NAME}}, for a variable that the operator allows with ENV_ALLOW";
const noSystem =
  "a flow does not see the system's properties: give the value as a parameter and write {{name}} or ${properties:name}";
const noBeans = "there are no beans here: use a step, a function of simple, or the language js";
const noHtml = "HTML is plain text here: use ${replace(from,to)}, or the language js";

const reasons: Readonly<Record<string, string>> = {
  env: noEnvironment,
  sysenv: noEnvironment,
  sys: noSystem,
  bean: noBeans,
  ref: noBeans,
  type: "there are no Java types here: write the value itself",
  function: "there are no functions of one's own here: write the expression itself, or chain functions with ~>",
  load: "a flow reads no files of the machine: put the text into the flow or into a parameter",
  attachmentKey: "write ${attachmentsKeys[0]}",
  attachmentsSize: "write ${attachments.size}",
  attachmentsContent: "write ${attachmentContent(key)}",
  attachmentsContentAs: "write ${attachmentContentAs(key,type)}",
  attachmentsContentAsText: "write ${attachmentContentAsText(key)}",
  attachmentsHeader: "write ${attachmentHeader(key,name)}",
  attachmentsHeaderAs: "write ${attachmentHeaderAs(key,name,type)}",
  a2a: "there is no component a2a here: call the other agent with http",
  htmlClean: noHtml,
  htmlDecode: noHtml,
  htmlParse: noHtml,
  messageAs: "write ${bodyAs(type)}",
  message: "write ${body}, ${header.name} or ${exchange.message.body}",
  out: "there is one message, and no other that goes out: write ${body} or ${header.name}",
  camelContext: "there is no CamelContext here: use ${camelId}, ${routeId} or ${properties:name}",
  property: "write ${exchangeProperty.name}",
};

/** The name of a function, and the message that refuses it. */
export const refusals: ReadonlyMap<string, string> = new Map(
  Object.entries(reasons).map(([name, reason]) => [name, `\${${name}} is not available: ${reason}`]),
);
