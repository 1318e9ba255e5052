/** A door with tame things behind it, for tests of the door itself. */
import { hash } from "node:crypto";
import type { TestContext } from "node:test";
import { createAuthenticator } from "../../../src/control/http/auth.ts";
import { acceptBody } from "../../../src/control/http/pipeline.ts";
import { createDoor, type Door, type Ingress, type ManagementHandler } from "../../../src/control/http/server.ts";
import { defaultLimits, type Limits } from "../../../src/shared/limits.ts";

export const token = "the-deploy-token-of-these-tests";

export function sha256(text: string): Buffer {
  return hash("sha256", text, "buffer");
}

export interface OpenDoor {
  readonly door: Door;
  readonly port: number;
  /** `area method url` of each request that something behind the door has seen. */
  readonly seen: string[];
}

interface Behind {
  readonly ingress?: Ingress;
  readonly management?: () => Promise<ManagementHandler>;
  readonly limits?: Partial<Limits>;
  readonly current?: string | undefined;
  readonly previous?: string;
}

export async function openDoor(t: TestContext, behind: Behind = {}): Promise<OpenDoor> {
  const seen: string[] = [];
  const { current = token, previous } = behind;
  const door = createDoor({
    authenticator: createAuthenticator({
      current: "current" in behind && behind.current === undefined ? undefined : sha256(current),
      previous: previous === undefined ? undefined : sha256(previous),
    }),
    limits: { ...defaultLimits, ...behind.limits },
    checkEveryMs: 20,
    onError: () => {},
    management:
      behind.management ??
      (async () =>
        (request, response, { target, authenticated }) => {
          seen.push(`management ${request.method} ${request.url}`);
          response.end(JSON.stringify({ area: target.area, authenticated }));
        }),
    ingress:
      behind.ingress ??
      ((request, response, target) => {
        seen.push(`${target?.area ?? "unparsed"} ${request.method} ${request.url}`);
        acceptBody(response);
        request.resume().on("end", () => response.end("ingress"));
      }),
  });
  const { port } = await door.listen(0, "127.0.0.1");
  t.after(() => door.close(0));
  return { door, port, seen };
}
