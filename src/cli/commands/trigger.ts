import { orThrow } from "../../client/index.ts";
import { sayAnswer } from "../answers.ts";
import { UsageError } from "../errors.ts";
import { type BodyOptions, bodyOf, documentBody, headersOf, withBody } from "../given-body.ts";
import { type AddCommand, addCommand, type TargetOptions, withJson, withTarget } from "../tree.ts";

interface Options extends TargetOptions, BodyOptions {
  readonly json?: boolean;
  readonly include?: boolean;
}

export const addTrigger: AddCommand = (parent, { terminal, connect, ending }) => {
  const command = addCommand(parent, "trigger <flow> <route>", {
    summary: "runs the route of a timer, a clock or a polling source now, and waits for its end",
    examples: ["bulkhead trigger reports nightly"],
  });
  withBody(withJson(withTarget(command)))
    .option("-i, --include", "prints the status and the headers, too")
    .action(async (id: string, routeId: string, options: Options) => {
      const { body, bodyBase64 } = documentBody(bodyOf(options));
      if (bodyBase64 !== undefined) throw new UsageError("the body of a trigger is a text: this one is not UTF-8");
      const headers = headersOf(options);
      const api = await connect(options);
      const answer = await orThrow(
        api.POST("/_api/flows/{id}/routes/{routeId}/trigger", {
          params: { path: { id, routeId } },
          body: { ...(body !== undefined && { body }), ...(Object.keys(headers).length > 0 && { headers }) },
        }),
      );
      sayAnswer(terminal, answer, options);
      if (answer.status !== "completed") ending.code = 1;
    });
};
