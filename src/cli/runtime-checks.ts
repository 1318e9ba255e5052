/** The runtime that commands call: whether it answers, takes the token, and is of the version of the command line; or whether one can be started. */
import { createServer } from "node:net";
import { type BulkheadClient, UnreachableError } from "../client/index.ts";
import type { Health } from "./machine-checks.ts";
import { clientOf, type Target } from "./target.ts";

export interface RuntimeHealth {
  readonly found: readonly Health[];
  /** The time of its answer; undefined: it does not answer. */
  readonly time?: Date;
}

/** The token of the target is one that can be sent; undefined: there is none. Rejects with UsageError. */
export async function checkRuntime({ url, token }: Target, version: string): Promise<RuntimeHealth> {
  const api = clientOf({ url, token });
  try {
    const { data, error, response } = await api.GET("/_api/health");
    const answers: Health = {
      check: "runtime",
      ...(data?.status === "UP"
        ? { state: "ok", message: `${url} answers, and is UP` }
        : {
            state: "warning",
            message: `${url} answers: ${data?.status ?? error?.message}`,
            advice: "see its log, and GET /_api/health",
          }),
    };
    const date = new Date(response.headers.get("date") ?? Number.NaN);
    return {
      found: [
        answers,
        ...(token === undefined ? [] : [await tokenAccepted(api), ...(await filesThatWait(api))]),
        ...(data === undefined ? [] : [sameVersion(data.engine.version, version)]),
      ],
      ...(!Number.isNaN(date.getTime()) && { time: date }),
    };
  } catch (error) {
    if (!(error instanceof UnreachableError)) throw error;
    return { found: [await canBeStarted(url, error.message), sameVersion(undefined, version)] };
  }
}

async function tokenAccepted(api: BulkheadClient): Promise<Health> {
  const { error } = await api.GET("/_api/limits");
  const check = "token of the runtime";
  if (error === undefined) return { check, state: "ok", message: "the runtime takes the token" };
  const advice = "set BULKHEAD_TOKEN to the SERVICE_DEPLOY_TOKEN that the runtime was started with";
  return { check, state: "problem", message: `the runtime refuses the token: ${error.message}`, advice };
}

/** Files that were put into the routes directory, or changed there, and are not deployed. */
async function filesThatWait(api: BulkheadClient): Promise<readonly Health[]> {
  const { data = [] } = await api.GET("/_api/flows");
  const waiting = data.filter(({ state, error }) => state === "Changed" && error === undefined).map(({ id }) => id);
  if (waiting.length === 0) return [];
  const more = waiting.length > 5 ? ` and ${waiting.length - 5} more` : "";
  const message = `files wait in the routes directory: ${waiting.slice(0, 5).join(", ")}${more}`;
  const advice = "bulkhead reload deploys them, and ROUTES_WATCH=true as they come";
  return [{ check: "files of flows", state: "warning", message, advice }];
}

/** `theirs`: undefined: no runtime answers. */
function sameVersion(theirs: string | undefined, own: string): Health {
  const check = "versions";
  if (theirs === undefined) return { check, state: "ok", message: `command line ${own}` };
  const message = `command line ${own}, runtime ${theirs}`;
  if (theirs === own) return { check, state: "ok", message };
  return { check, state: "warning", message, advice: "use a command line of the runtime's version" };
}

/** On this machine a port that is free is no problem: nothing runs yet. */
async function canBeStarted(url: string, why: string): Promise<Health> {
  const { hostname, port, protocol } = new URL(url);
  const check = "port";
  if (!/^(?:localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(hostname))
    return { check, state: "problem", message: why, advice: "start the runtime there, or name another one with --url" };
  const number = Number(port) || (protocol === "https:" ? 443 : 80);
  const taken = await refusalOf(number, hostname.replace(/^\[|\]$/g, ""));
  if (taken === undefined)
    return { check, state: "ok", message: `${hostname}:${number} is free, and no runtime runs there yet` };
  const advice = "end what listens there, or start the runtime at another port: bulkhead run --port 8081";
  return {
    check,
    state: "problem",
    message: `${hostname}:${number} cannot be listened on (${taken}), and no runtime answers there`,
    advice,
  };
}

/** Resolves with the code of the error; undefined: it is free. */
function refusalOf(port: number, host: string): Promise<string | undefined> {
  return new Promise((done) => {
    const server = createServer();
    server.once("error", (error: NodeJS.ErrnoException) => done(error.code ?? error.message));
    server.listen({ port, host, exclusive: true }, () => server.close(() => done(undefined)));
  });
}
