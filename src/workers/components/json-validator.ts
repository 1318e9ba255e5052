/** The `json-validator` component (Camel: JsonValidatorEndpoint 4.22): a message that the schema does not allow fails. */

import { defineComponent } from "../engine/component.ts";
import { exceptionMessage, FlowException } from "../engine/exception.ts";
import type { Exchange } from "../engine/exchange.ts";
import { flowResource } from "../engine/flow-resource.ts";
import { LateModule } from "../engine/late-module.ts";
import { textIn } from "../engine/message-text.ts";
import { jsonInput } from "../languages/input.ts";
import type { Invalid } from "../mappings/json-schema.ts";

const validators = new LateModule(() => import("./json-validator/validator.ts"));
const classes = "org.apache.camel.component.jsonvalidator";
const inFlow = "a schema is text of the flow, which is read when the flow is deployed: leave it out";
const noBeans = "there are no such beans here: leave it out";
const noFeatures = "JSON is read in one way here: leave it out";

export const jsonValidator = defineComponent({
  scheme: "json-validator",
  docs:
    "Fails with a JsonValidationException when the body, or a header, is not what a JSON Schema allows; the message goes on unchanged. The schema is a bean of type " +
    "`java.lang.String`, named as `json-validator:ref:name`; draft 4, 7, 2019-09 and 2020-12 by its `$schema`. Each fault has its place, what was expected, and the keyword.",
  path: "resourceUri",
  options: (z, { text, flag, idle, refused }) =>
    z.object({
      resourceUri: text(
        "The schema: `ref:name` for the flow's bean of type `java.lang.String`, `mem:` or `base64:` for the text itself.",
      ),
      headerName: text("Validates this header instead of the body.").optional(),
      failOnNullBody: flag("With `false`, a message without a body passes.").default(true),
      failOnNullHeader: flag("With `false`, a message without the header of `headerName` passes.").default(true),
      contentCache: idle(flag, inFlow),
      errorHandler: refused(
        "there are no handler beans: handle JsonValidationException by onException or doTry, where ${exception.errors} lists the faults",
      ),
      uriSchemaLoader: refused(noBeans),
      objectMapper: refused(noBeans),
      enabledDeserializationFeatures: refused(noFeatures),
      disabledDeserializationFeatures: refused(noFeatures),
      allowContextMapAll: refused("a schema sees the value, not the runtime: leave it out", "false"),
      lazyStartProducer: refused("producers are made when the flow is deployed: leave it out", "false"),
    }),
  example: `to:
  uri: 'json-validator:mem:{"type": "object", "required": ["id"]}?headerName=order&failOnNullHeader=false'`,
  effect: "none",
  producer({ resourceUri, headerName, failOnNullBody, failOnNullHeader }, { bean }) {
    const { validatorOf } = validators.module();
    const validate = validatorOf(flowResource(resourceUri, "schema", bean));
    const absent = headerName === undefined ? noBody : noHeader(headerName);
    const fails = headerName === undefined ? failOnNullBody : failOnNullHeader;
    return (exchange) => {
      const { message, run } = exchange;
      const value = (headerName === undefined ? message.body : message.headers.get(headerName)) ?? null;
      if (value === null) {
        if (fails) throw absent(exchange);
        return;
      }
      const faults = validate(readJson(value, exchange), run.limits);
      if (faults.length > 0) throw invalid(faults, exchange);
    };
  },
});

function noBody({ id }: Exchange): FlowException {
  const message = `No JSON body could be found on the input message. Exchange[${id}]`;
  return new FlowException(`${classes}.NoJsonBodyValidationException`, message);
}

function noHeader(name: string): typeof noBody {
  return ({ id }) => {
    const message = `No JSON header "${name}" could be found on the input message. Exchange[${id}]`;
    return new FlowException(`${classes}.NoJsonHeaderValidationException`, message);
  };
}

/** Camel reads text and bytes; maps, lists and other values are validated as the JSON that they are. */
function readJson(value: unknown, exchange: Exchange): unknown {
  if ((typeof value === "string" || value instanceof Uint8Array) && textIn(exchange, value).trim() === "") {
    const message = "There is no JSON: the text is empty.";
    throw invalid([{ path: "", message, keyword: "type" }], exchange);
  }
  try {
    return jsonInput(exchange, value, "com.fasterxml.jackson.core.JsonParseException");
  } catch (cause) {
    if (!(cause instanceof FlowException) || !cause.type.endsWith(".JsonParseException")) throw cause;
    const message = `${exceptionMessage(cause)}. Exchange[${exchange.id}]`;
    throw new FlowException(`${classes}.JsonValidationException`, message, { cause });
  }
}

function invalid(faults: readonly Invalid[], { id }: Exchange): FlowException {
  const lines = faults.map(
    ({ path, message, keyword }) => `${path === "" ? "$" : path}: ${sentence(message)} (${keyword})`,
  );
  const errors = faults.map(({ path, message, keyword }) => ({ instanceLocation: path, keyword, message }));
  const text = `JSON validation error with ${faults.length} errors:\n${lines.join("\n")}. Exchange[${id}]`;
  return new FlowException(`${classes}.JsonValidationException`, text, {
    details: { errors, numberOfErrors: faults.length },
  });
}

/** Without its full stop, since the keyword follows. */
function sentence(message: string): string {
  return message.replace(/\.$/, "");
}
