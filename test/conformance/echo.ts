/** The server that cases call as `http://{{server}}/...`: what it answers is told by the path it is asked for. */

import type { TestContext } from "node:test";
import { startHttpServer } from "../support/http-server.ts";

/**
 * `/status/404`: that status, the body `status 404`, and for 3xx the location `/moved`. `/header/x`: the value of the request's
 * header x, or `none`. Any other path: `METHOD /path?query body`. All answers are text/plain and have the header X-Answer.
 */
export async function startEcho(t: TestContext): Promise<string> {
  const { host } = await startHttpServer(t, ({ method, url, headers, body }, response) => {
    const [, kind, name = ""] = url.split(/[/?]/);
    response.setHeader("Content-Type", "text/plain");
    response.setHeader("X-Answer", "yes");
    if (kind === "status") {
      response.statusCode = Number(name);
      if (name.startsWith("3")) response.setHeader("Location", "/moved");
      response.end(name === "204" ? undefined : `status ${name}`);
    } else if (kind === "header") response.end(String(headers[name.toLowerCase()] ?? "none"));
    else response.end(`${method} ${url} ${body}`);
  });
  return host;
}
