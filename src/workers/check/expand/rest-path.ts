/** Paths of rest services (Camel: RestDefinition.buildUri, RestComponent, PlatformHttpComponent.doCreateConsumer). */

/** The context path, the service's and the verb's, with one slash between them and none at the end. */
export function joinPaths(...parts: readonly string[]): string {
  return `/${parts
    .map(withoutSlashes)
    .filter((part) => part !== "")
    .join("/")}`;
}

function withoutSlashes(text: string): string {
  let from = 0;
  let to = text.length;
  while (text[from] === "/") from += 1;
  while (to > from && text[to - 1] === "/") to -= 1;
  return text.slice(from, to);
}
