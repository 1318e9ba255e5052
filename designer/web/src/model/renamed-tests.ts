/** The tests of a flow for a copy whose routes have other names. */
import type { RenamedRoutes } from "./rename-routes.ts";

/** Names stand in `routeId` and `replaceFrom`, `direct:` endpoints and webhooks' paths in texts; bodies stay as they are. */
export function renamedTests(tests: unknown, { ids, names }: Pick<RenamedRoutes, "ids" | "names">): unknown {
  const text = (value: string): string => {
    const name = /^direct:(?:\/\/)?([^?]+)/.exec(value)?.[1];
    if (name !== undefined) return value.replace(name, names.get(name) ?? name);
    const route = /^\/api\/([^/?]+)/.exec(value)?.[1];
    return route === undefined ? value : value.replace(`/api/${route}`, `/api/${ids.get(route) ?? route}`);
  };
  const renamed = (value: unknown, key = ""): unknown => {
    if (typeof value === "string") return key === "routeId" ? (ids.get(value) ?? value) : text(value);
    if (Array.isArray(value)) return value.map((one) => renamed(one));
    if (typeof value !== "object" || value === null) return value;
    return Object.fromEntries(
      Object.entries(value).map(([name, one]) => [
        key === "replaceFrom" ? (ids.get(name) ?? name) : name,
        messages.has(name) ? one : renamed(one, name),
      ]),
    );
  };
  return renamed(tests);
}

/** Parts of messages, which are data. */
const messages = new Set(["body", "headers", "bodyBase64", "name"]);
