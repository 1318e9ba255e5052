/** Functions of Camel that cannot be honoured here, each with what to do instead. */

const noEnvironment = "a flow sees no environment: give the value as a parameter and write {{name}}";
const noBeans = "there are no beans here: use a step, or a function of simple";
const noPlaceholder = "placeholders are filled when the flow is built: write {{name}} or {{name:default}}";
const noFiles = "flows have no file components yet";
const noAttachments = "messages have no attachments here";
const noHtml = "HTML functions are not supported";
const noHistory = "use the trace of the run in place of it";

const reasons: Readonly<Record<string, string>> = {
  env: noEnvironment,
  sysenv: noEnvironment,
  sys: noEnvironment,
  properties: noPlaceholder,
  propertiesExist: noPlaceholder,
  bean: noBeans,
  ref: noBeans,
  type: "there are no Java types here: write the value itself",
  function: "custom functions are not supported",
  load: "a flow reads no files: put the text into the flow",
  jsonpath: "jsonpath is not supported yet: read keys with ${body[key]}",
  simpleJsonpath: "jsonpath is not supported yet: read keys with ${body[key]}",
  jq: "jq is not supported yet: read keys with ${body[key]}",
  xpath: "xpath is not supported yet",
  vmap: "value mappings are not supported yet",
  file: noFiles,
  attachments: noAttachments,
  attachment: noAttachments,
  attachmentContent: noAttachments,
  attachmentContentAs: noAttachments,
  attachmentContentAsText: noAttachments,
  attachmentContentType: noAttachments,
  attachmentHeader: noAttachments,
  attachmentHeaderAs: noAttachments,
  attachmentKey: noAttachments,
  htmlClean: noHtml,
  htmlDecode: noHtml,
  htmlParse: noHtml,
  messageHistory: noHistory,
  logExchange: noHistory,
  messageAs: "write ${bodyAs(type)}",
  originalBody: "the original body is not kept: store it with setVariable first",
  stepId: "the id of the running step is not known to expressions",
  routeGroup: "routes have no groups here: use ${routeId}",
  camelContext: "there is no CamelContext here: use ${camelId} or ${routeId}",
  property: "write ${exchangeProperty.name}",
};

/** Name -> the message that refuses it. */
export const refusals: ReadonlyMap<string, string> = new Map(
  Object.entries(reasons).map(([name, reason]) => [name, `\${${name}} is not available: ${reason}`]),
);
