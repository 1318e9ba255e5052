/**
 * A request to a route with a path of its own: what it matched, and the headers that Camel's platform-http makes of it.
 */
import type { IncomingMessage } from "node:http";
import { AppError } from "../../shared/errors.ts";
import { isSteeringHeader } from "../../shared/steering-header.ts";
import type { HttpMatch } from "../flows/http-paths.ts";
import type { Target } from "../http/target.ts";
import type { HttpRoute } from "./http-routes.ts";
import { mainPart } from "./media-types.ts";
import type { HttpClaim, Webhook } from "./webhooks.ts";

/** The most characters of a path that a run record keeps. */
const pathCharacters = 256;

/** Throws unsupported_media_type for a multipart form, which the runtime cannot read. */
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
 * Returns the headers that VertxPlatformHttpSupport.populateCamelHeaders adds to the request's, as `\nname\nvalue...`.
 * `CamelHttpUri` comes first, so that the flow's thread knows where the request's own end.
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

/**
 * Makes a header of a query parameter, except those that would steer Camel's components. A line break would begin
 * another header here: it becomes a space.
 */
export function headerOf(name: string, value: string): string {
  if (isSteeringHeader(name) || name === "" || name.includes("\n")) return "";
  return `\n${name}\n${value.replaceAll("\n", " ")}`;
}

/** Returns the request's origin; one without Host (HTTP/1.0) went to the socket's own address. */
function originOf({ headers, socket }: IncomingMessage): string {
  return `http://${headers.host ?? `${socket.localAddress}:${socket.localPort}`}`;
}
