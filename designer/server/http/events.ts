/** The event stream of the workspace: `GET /designer/events`. */
import type { FastifyInstance } from "fastify";
import type { DesignerEvents } from "../../shared/wire.ts";
import { limits } from "../limits.ts";
import { Refused } from "../refused.ts";
import type { WorkspaceWatch } from "../workspace/watch.ts";
import type { Door } from "./door.ts";

/** What a reader may leave unread before its connection is closed; it begins anew with `ready`. */
const mostUnread = 256 * 1024;

export function eventRoutes(app: FastifyInstance, watch: WorkspaceWatch, door: Door): void {
  let open = 0;

  app.get("/designer/events", { config: { least: "viewer" } }, async (request, reply) => {
    if (open >= limits.eventStreams)
      throw new Refused(429, "too many pages follow the workspace: close some of them", {
        headers: { "Retry-After": "30" },
      });
    const { ended } = door.caller(request);
    reply.hijack();
    const { raw } = reply;
    for (const [name, value] of Object.entries(reply.getHeaders())) if (value !== undefined) raw.setHeader(name, value);
    raw.writeHead(200, {
      "Content-Type": "text/event-stream",
      "Cache-Control": "no-store",
      "X-Accel-Buffering": "no",
    });
    raw.write("retry: 2000\n\n");
    const send = <Name extends keyof DesignerEvents>(name: Name, data: DesignerEvents[Name]): void => {
      raw.write(`event: ${name}\ndata: ${JSON.stringify(data)}\n\n`);
      if (raw.writableLength > mostUnread) raw.destroy();
    };
    const close = (): void => void raw.end();
    open += 1;
    const beat = setInterval(() => raw.write(":\n\n"), limits.heartbeatMs);
    ended?.addEventListener("abort", close, { once: true });
    const listening = watch.listen((changes) => send("flows", changes));
    raw.once("close", () => {
      open -= 1;
      clearInterval(beat);
      ended?.removeEventListener("abort", close);
      void listening.then(({ end }) => end());
    });
    send("ready", { flows: (await listening).flows });
  });
}
