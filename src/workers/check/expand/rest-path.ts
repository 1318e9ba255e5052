/** Paths of rest services (Camel: RestDefinition.buildUri, RestComponent, PlatformHttpComponent.doCreateConsumer). */

/**
 * The context path, the service's and the verb's, with one slash between them and none at the end. A verb's path that is nothing but a
 * slash, or is there and empty, leaves one: `/orders` and `/` are `/orders/`, which requests for `/orders` do not match.
 */
export function joinPaths(contextPath: string, base: string, template: string | undefined): string {
  const path = `/${[contextPath, base, template ?? ""]
    .map(withoutSlashes)
    .filter((part) => part !== "")
    .join("/")}`;
  const bare = template !== undefined && withoutSlashes(template) === "";
  return bare && path !== "/" ? `${path}/` : path;
}

function withoutSlashes(text: string): string {
  let from = 0;
  let to = text.length;
  while (text[from] === "/") from += 1;
  while (to > from && text[to - 1] === "/") to -= 1;
  return text.slice(from, to);
}
