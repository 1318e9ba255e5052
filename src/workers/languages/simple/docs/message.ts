/** Functions that read and write the message, the exchange and the flow's parameters. */
import { type FunctionDocs, type Given, row } from "./row.ts";

const order: Given = { body: { customer: { name: "Ada" }, lines: [{ sku: "anvil" }] } };
const headers: Given = { headers: { orderId: "17", amount: "250" } };
const variables: Given = { variables: { customer: "Ada", count: "3" } };

// biome-ignore format: a table, with a function a line
export const messageDocs: readonly FunctionDocs[] = [
  row("body.path", "The body, or a part of it: keys, indexes and methods follow.", "${body.lines[0].sku}", order, "anvil"),
  row("bodyAs(type)", "The body converted to a type; null where that is not possible.", "${bodyAs(Integer)}", { body: "17" }, 17),
  row("mandatoryBodyAs(type)", "As `bodyAs`; without a body the step fails.", "${mandatoryBodyAs(String)}", { body: 17 }, "17"),
  row("bodyOneLine", "The body as text, without line feeds.", "${bodyOneLine}", { body: "a\nb" }, "ab"),
  row("bodyType", "The Java type of the body.", "${bodyType}", { body: "a" }, "java.lang.String"),
  row("header.name", "A header, or a part of its value; `header[a b]` for names with other characters. Without the header it is the property of that name.", "${header.orderId}", headers, "17"),
  row("headers", "All headers as a map; `headers.size` counts them.", "${headers.size}", headers, 2),
  row("headerAs(key,type)", "A header converted to a type.", "${headerAs(amount,Integer)}", headers, 250),
  row("exchangeProperty.name", "A property of the exchange, or a part of its value.", "${exchangeProperty.total}", { properties: { total: 5 } }, 5),
  row("variable.name", "A variable, or a part of its value.", "${variable.customer}", variables, "Ada"),
  row("variables", "All variables as a map; `variables.size` counts them.", "${variables.size}", variables, 2),
  row("variableAs(key,type)", "A variable converted to a type.", "${variableAs(count,Integer)}", variables, 3),
  row("setHeader(name,type,exp)", "Sets a header, and shows nothing; the type may be left out. A null value removes it.", "${setHeader(a,5)}", {}, null),
  row("setVariable(name,type,exp)", "Sets a variable, and shows nothing; the type may be left out.", "${setVariable(a,5)}", {}, null),
  row("attachments", "All attachments by name; `attachments.size` counts them.", "${attachments.size}", {}, 0),
  row("attachmentsKeys", "The names of the attachments.", "${attachmentsKeys}", {}, []),
  row("attachment.name", "An attachment: `name`, `contentType`, `contentLength` and `content`.", "${attachment[photo]}", {}, null),
  row("attachmentContent(key)", "The content of an attachment: text where its type is one of text, else bytes.", "${attachmentContent(photo)}", {}, null),
  row("attachmentContentAs(key,type)", "The content of an attachment, converted to a type.", "${attachmentContentAs(photo,String)}", {}, null),
  row("attachmentContentAsText(key)", "The content of an attachment as text.", "${attachmentContentAsText(photo)}", {}, null),
  row("attachmentHeader(key,name)", "A header of an attachment.", "${attachmentHeader(photo,Content-ID)}", {}, null),
  row("attachmentHeaderAs(key,name,type)", "A header of an attachment, converted to a type.", "${attachmentHeaderAs(photo,size,Integer)}", {}, null),
  row("exchange.path", "The exchange; `exchange.message.body` and the like lead into it.", "${exchange.message.body}", { body: "a" }, "a"),
  row("exchangeId", "The id of the exchange.", "${exchangeId}", {}, /.+/),
  row("id", "The id of the message, which equals the id of the exchange here.", "${id}", {}, /.+/),
  row("messageTimestamp", "When the exchange began, in ms since 1970.", "${messageTimestamp}", {}, /^\d+$/),
  row("originalBody", "The body that the run began with, where the route keeps it.", "${originalBody}", {}, null),
  row("stepId", "The id of the `step` around.", "${stepId}", { properties: { CamelStepId: "prepare" } }, "prepare"),
  row("routeId", "The id of the route.", "${routeId}", {}, /.+/),
  row("fromRouteId", "The id of the route that the run began with.", "${fromRouteId}", {}, /.+/),
  row("camelId", "The name of the runtime.", "${camelId}", {}, "bulkhead"),
  row("threadId", "The number of the flow's thread.", "${threadId}", {}, /^\d+$/),
  row("threadName", "The name of the flow's thread.", "${threadName}", {}, /^flow-thread-\d+$/),
  row("hostname", "The name of the machine.", "${hostname}", {}, /.+/),
  row("hostName", "As `hostname`.", "${hostName}", {}, /.+/),
  row("exception.path", "The exception that is handled: `exception.message`, `exception.stacktrace` and the values of its class.", "${exception.message}", {}, null),
  row("properties:key:default", "A parameter of the flow. Without a default a missing one fails.", "${properties:none:5}", {}, "5"),
  row("propertiesExist:key", "Whether the flow has the parameter; `!key`: whether it has not.", "${propertiesExist:none}", {}, false),
  row("logExchange", "The exchange as a text for people: id, headers and body.", "${logExchange}", { body: "a" }, /^Exchange\[/),
  row("messageHistory(detailed)", "The route and its time as a table for people, with the exchange unless you write `false`.", "${messageHistory(false)}", {}, /Message History/),
  row("vmap:id:from:to:value", "Looks a value up in a value mapping; `vmap:id:value` in one of two columns.", "${vmap:codes:DE}", {}, /.*/),
  row("in.body", "The body or a header, as Camel 2 wrote it.", "${in.header.orderId}", headers, "17"),
  row("file:part", "A part of the name of the file that was consumed: `name`, `name.noext`, `onlyname`, `ext`, `parent`, `path`, `size`, `modified` and others.", "${file:name.ext}", { headers: { CamelFileName: "in/a.txt" } }, "txt"),
];
