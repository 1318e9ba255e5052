/** A request to a route with a path of its own: what it matched, and the headers that Camel's platform-http makes of that. */
import type { IncomingMessage } from "node:http";
import { AppError } from "../../shared/errors.ts";
import { isSteeringHeader } from "../../shared/steering-header.ts";
import type { HttpMatch } from "../flows/http-paths.ts";
import type { Target } from "../http/target.ts";
import type { HttpRoute } from "./http-routes.ts";
import { mainPart } from "./media-types.ts";
import type { HttpClaim, Webhook } from "./webhooks.ts";

/** A run record keeps so much of a path. */
const pathCharacters = 256;

/** Throws unsupported_media_type for a form that nobody here can read. */
export function refuseForm({ headers }: IncomingMessage): void {
  if (mainPart(headers["content-type"] ?? "") !== "multipart/form-data") return;
  const message = "multipart forms are not taken: send application/x-www-form-urlencoded, or the file as the body";
  throw new AppError("unsupported_media_type", message);
}

export function claimedHook(match: HttpMatch<HttpRoute>, target: Target, request: IncomingMessage): Webhook {
  const { deployment, routeIndex, uri, path, http } = match.value;
  return {
    deployment,
    routeIndex,
    path: target.path,
    trigger: { kind: "http", uri, method: request.method as string, path: target.path.slice(0, pathCharacters) },
    claim: { http, target, request, parameters: path.names.map((name, i) => [name, match.parameters[i] ?? ""]) },
  };
}

/**
 * `\nname\nvalue...`: what VertxPlatformHttpSupport.populateCamelHeaders adds to the request's headers. `CamelHttpUri` comes first,
 * so that the flow's thread knows where those end.
 */
export function claimHeaders({ target, request, parameters }: HttpClaim): string {
  const url = request.url as string;
  let text = `\nCamelHttpUri\n${url}\nCamelHttpUrl\n${originOf(request)}${url}\nCamelHttpPath\n${target.path}`;
  if (target.search !== "") text += `\nCamelHttpQuery\n${target.search}\nCamelHttpRawQuery\n${target.search}`;
  const charset = /;\s*charset\s*=\s*"?([\w.:+-]+)/i.exec(request.headers["content-type"] ?? "")?.[1];
  if (charset !== undefined) text += `\nCamelHttpCharacterEncoding\n${charset}`;
  for (const [name, value] of target.query) text += headerOf(name, value);
  for (const [name, value] of parameters) text += `\n${name}\n${value}`;
  return text;
}

/** Callers cannot steer Camel's components by query either. A line break would begin another header here: it becomes a space. */
export function headerOf(name: string, value: string): string {
  if (isSteeringHeader(name) || name === "" || name.includes("\n")) return "";
  return `\n${name}\n${value.replaceAll("\n", " ")}`;
}

/** A request without Host (HTTP/1.0) went to this address. */
function originOf({ headers, socket }: IncomingMessage): string {
  return `http://${headers.host ?? `${socket.localAddress}:${socket.localPort}`}`;
}
