import { type BulkheadClient, type components, orThrow } from "../../client/index.ts";
import { didYouMean } from "../../shared/suggest.ts";
import { sayAnswer, sayBody, sayHead } from "../answers.ts";
import { CommandError, UsageError } from "../errors.ts";
import { type BodyOptions, bodyOf, documentBody, headersOf, typed, withBody } from "../given-body.ts";
import { given, wholeNumber } from "../options.ts";
import { sayJson } from "../terminal.ts";
import { type AddCommand, addCommand, type Context, type TargetOptions, withJson, withTarget } from "../tree.ts";

interface Options extends TargetOptions, BodyOptions {
  readonly json?: boolean;
  readonly method?: string;
  readonly include?: boolean;
  readonly timeout?: number;
}

type InvokeAnswer = components["schemas"]["TestInvokeAnswer"];

export const addCall: AddCommand = (parent, context) => {
  const command = addCommand(parent, "call <target>", {
    summary: "calls a flow: a path of it, the webhook of a route, or a direct: endpoint",
    details:
      "A path (/api/orders) is called as any client calls it, without the token. A route's id stands for the path of its webhook. A body that is a JSON object or list goes as application/json, unless a header names another Content-Type. A direct: endpoint is called in a test session without mocks. Prints the body of the answer; ends with 1 when the status is 400 or more, or the run has failed.",
    examples: [
      "bulkhead call orders --body '{\"id\": 7}'",
      "bulkhead call /api/orders --file order.json --include",
      "bulkhead call direct:price --body 7",
    ],
  });
  withBody(withJson(withTarget(command), "prints status, headers and body as JSON"))
    .option("-X, --method <method>", "the method of a path; with a body POST, else GET, of a webhook POST")
    .option("-i, --include", "prints the status and the headers, too")
    .option("--timeout <ms>", "waits so long for a direct: endpoint", wholeNumber("--timeout"))
    .action(async (target: string, options: Options) => {
      const api = await context.connect(options, target.startsWith("/"));
      if (target.startsWith("direct:")) await callDirect(api, context, target, options);
      else await callPath(api, context, target, options);
    });
};

async function callPath(
  api: BulkheadClient,
  { terminal, ending }: Context,
  target: string,
  options: Options,
): Promise<void> {
  if (options.timeout !== undefined) throw new UsageError("--timeout is for direct: endpoints");
  const sent = bodyOf(options);
  const isPath = target.startsWith("/");
  const path = isPath ? target : await webhookOf(api, target);
  const method = (options.method ?? (isPath && sent === undefined ? "GET" : "POST")).toUpperCase();
  let response: Response;
  try {
    const headers = typed(headersOf(options), sent);
    response = await api.fetch(path, { method, headers, ...given({ body: sent }) });
  } catch (error) {
    if (error instanceof TypeError) throw new UsageError(error.message);
    throw error;
  }
  const body = await bytesOf(response);
  const headers = Object.fromEntries(response.headers);
  if (options.json === true) sayJson(terminal, { status: response.status, headers, ...documentBody(body) });
  else {
    if (options.include === true) sayHead(terminal, `${response.status} ${response.statusText}`, headers);
    sayBody(terminal, body);
  }
  if (response.status < 400) return;
  ending.code = 1;
  const runId = response.headers.get("x-run-id");
  if (options.json !== true)
    terminal.complain(`bulkhead: ${response.status}${runId === null ? "" : `; bulkhead runs show ${runId} says more`}`);
}

/** Rejects with CommandError when the answer breaks off. */
async function bytesOf(response: Response): Promise<Uint8Array> {
  try {
    return new Uint8Array(await response.arrayBuffer());
  } catch (error) {
    throw new CommandError(`the answer has broken off: ${error instanceof Error ? error.message : String(error)}`);
  }
}

/** Throws CommandError. */
async function webhookOf(api: BulkheadClient, routeId: string): Promise<string> {
  const routes = (await orThrow(api.GET("/_api/flows"))).flatMap((flow) => flow.routes);
  const path = routes.find(({ id }) => id === routeId)?.webhook;
  if (path !== undefined) return path;
  const webhooks = routes.filter(({ webhook }) => webhook !== undefined).map(({ id }) => id);
  throw new CommandError(
    `there is no route '${routeId}' with a webhook${didYouMean(routeId, webhooks)}; a path begins with /`,
  );
}

async function callDirect(
  api: BulkheadClient,
  { terminal, ending }: Context,
  target: string,
  options: Options,
): Promise<void> {
  if (options.method !== undefined) throw new UsageError("--method is for paths: a direct: endpoint has none");
  const flows = await orThrow(api.GET("/_api/flows"));
  const flowId = flows.find(({ routes }) => routes.some(({ uri }) => uri.split("?")[0] === target))?.id;
  if (flowId === undefined) {
    const known = flows
      .flatMap(({ routes }) => routes.map(({ uri }) => uri.split("?")[0] ?? ""))
      .filter((uri) => uri.startsWith("direct:"));
    throw new CommandError(`no flow has a route from '${target}'${didYouMean(target, known)}`);
  }
  const { sessionId } = await orThrow(
    api.POST("/_api/test/session", { body: { flowId, scope: "session", mocks: [], name: "bulkhead call" } }),
  );
  let answer: InvokeAnswer;
  try {
    const sent = { ...documentBody(bodyOf(options)), headers: headersOf(options) };
    const body = { sessionId, endpoint: target, ...sent, ...given({ timeoutMs: options.timeout }) };
    answer = await orThrow(api.POST("/_api/test/invoke", { body }));
  } finally {
    await api.DELETE("/_api/test/session/{id}", { params: { path: { id: sessionId } } });
  }
  sayAnswer(terminal, answer, options);
  if (answer.status !== "completed") ending.code = 1;
}
