/** The `valueMapping` step: replaces a value by a table that is installed separately from the flow. */
import { idProblem } from "../../shared/ids.ts";
import { missingModes } from "../engine/mappings.ts";
import type { Expression } from "../engine/processor.ts";
import { defineStep } from "../engine/step.ts";
import { outputOf, outputProblem } from "./value-mapping/output.ts";

export const valueMapping = defineStep({
  name: "valueMapping",
  docs: "Looks a value up in a value mapping and puts what it is mapped to in its place, or where `output` says; a mapping's new version counts for runs that begin after it.",
  short: "id",
  idIsOption: true,
  options: (z, { text, template, oneOf }) => {
    const column = (words: string) =>
      text(words)
        .refine((name) => !name.includes("${"), "a column is fixed, without functions")
        .optional();
    return z.object({
      id: text("The id of the value mapping, which `PUT /_api/value-mappings/:id` installs.")
        .refine((id) => !id.includes("${"), "the id is fixed, without functions: a flow is given the mappings it names")
        .refine((id) => id.includes("${") || idProblem(id) === undefined, {
          error: ({ input }) => idProblem(String(input)) ?? "no id",
        }),
      from: column("The column of the value; may be left out with `to` where the mapping has two columns."),
      to: column("The column of the result."),
      input: template("The value that is looked up; a simple template. By default the body.").optional(),
      output: text(
        "Where the result goes: `body`, `body.order.status` in a JSON body, `header.name`, `variable.name` or `exchangeProperty.name`.",
      )
        .refine((place) => outputProblem(place) === undefined, {
          error: ({ input }) => outputProblem(String(input)) ?? "no place",
        })
        .default("body"),
      onMissing: oneOf(
        missingModes,
        "What is done with a value that is not mapped, in place of what the mapping says; `passthrough` keeps the value.",
      ).optional(),
      default: template("The result for a value that is not mapped; a simple template.").optional(),
      qualifiers: z
        .record(z.string(), template("Names and templates: rows of the mapping with a `when` count where these fit."))
        .optional(),
    });
  },
  example: `valueMapping:
  id: order-status
  from: crm
  to: erp
  input: "\${header.status}"
  output: header.status
  onMissing: passthrough`,
  compile({ id, from, to, input, output, onMissing, qualifiers, ...options }, context) {
    if (options.default !== undefined && onMissing !== undefined && onMissing !== "default") {
      throw new Error(`'default' has no effect with onMissing ${onMissing}: leave one of them out`);
    }
    context.useMapping("value", id);
    const value: Expression = input === undefined ? ({ message }) => message.body : context.expression(input);
    const other = options.default === undefined ? undefined : context.expression(options.default);
    const write = outputOf(output, context.useVariable);
    const given = Object.entries(qualifiers ?? {}).map(([name, model]) => [name, context.expression(model)] as const);
    return (exchange) => {
      const result = exchange.run.mappings.value(id).lookup(from, to, value(exchange), {
        onMissing,
        default: other?.(exchange),
        qualifiers:
          given.length === 0 ? undefined : Object.fromEntries(given.map(([name, read]) => [name, read(exchange)])),
      });
      write(exchange, result);
    };
  },
});
