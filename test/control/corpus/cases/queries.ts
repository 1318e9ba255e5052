/** Query parameters of the management API. */
import type { Case, Group } from "../case.ts";

const refused: readonly string[] = [
  "/runs?limit=0",
  "/runs?limit=-1",
  "/runs?limit=1.5",
  "/runs?limit=abc",
  "/runs?limit=",
  "/runs?limit=1e9",
  "/runs?limit=+5",
  "/runs?limit=0x10",
  "/runs?limit=5&limit=5",
  "/runs?limit=99999999999999999999",
  "/runs?routeId=a&routeId=b",
  "/runs?status=ok",
  "/runs?status=failed&status=killed",
  "/runs?since=yesterday",
  "/runs?since=1700000000000",
  "/runs?before=2026-01-01",
  "/runs?before=2026-13-01T00:00:00Z",
  "/runs?offset=5",
  "/runs?__proto__=1",
  "/runs?limit[]=5",
  "/flows?x=1",
  "/limits?x=1",
  "/catalog?x",
  "/flows/echo?constructor=1",
  "/trace/stream?type=nonsense",
  "/trace/stream?status=ok",
  "/trace/stream?sample=2",
  "/trace/stream?sample=",
  "/trace/stream?body=all",
  "/trace/stream?level=warn",
  "/logs/stream?level=loud",
  "/logs/stream?replay=-1",
  "/logs/stream?replay=1&replay=2",
  "/logs/stream?lastEventId=x",
  "/logs/stream?hasOwnProperty=1",
];

const accepted: readonly (readonly [path: string, says: RegExp])[] = [
  ["/runs?routeId=", /^\[\]$/],
  ["/runs?routeId=none", /^\[\]$/],
  ["/runs?routeId=__proto__", /^\[\]$/],
  ["/runs?limit=1000000000", /^\[/],
  ["/runs?", /^\[/],
  ["/runs?&&", /^\[/],
];

export const queries: Group = {
  group: "queries",
  cases: [
    ...refused.map(
      (path): Case => ({ name: path, method: "GET", path: `/_api${path}`, status: 400, code: "bad_query" }),
    ),
    ...[
      "dryRun=maybe",
      "dryRun=1",
      "dryRun",
      "dryrun=true",
      "dryRun=true&dryRun=true",
      "drainMs=-1",
      "drainMs=1.5",
      "drainMs=600001",
      "drainMs=",
      "force=true",
    ].map(
      (query): Case => ({
        name: `PUT ?${query}`,
        method: "PUT",
        path: `/_api/flows/query-case?${query}`,
        body: '{"yaml":"x"}',
        status: 400,
        code: "bad_query",
      }),
    ),
    ...["purge=1", "force=true"].map(
      (query): Case => ({
        name: `DELETE ?${query}`,
        method: "DELETE",
        path: `/_api/flows/echo?${query}`,
        status: 400,
        code: "bad_query",
      }),
    ),
    ...accepted.map(([path, says]): Case => ({ name: path, method: "GET", path: `/_api${path}`, status: 200, says })),
  ],
};
