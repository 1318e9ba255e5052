/** Flows that tests deploy. */

/** A webhook that answers with a text, so that versions can be distinguished. */
export function answering(routeId: string, text: string): string {
  return `- route:\n    id: ${routeId}\n    from:\n      uri: webhook\n      steps:\n        - setBody: { constant: "${text}" }\n`;
}

/** A webhook with these steps, in YAML's flow style, one per line. */
export function webhook(routeId: string, ...steps: readonly string[]): string {
  return `- route:\n    id: ${routeId}\n    from:\n      uri: webhook\n      steps:\n${steps.map((step) => `        - ${step}\n`).join("")}`;
}

/** A route behind `direct:<name>`. */
export function direct(routeId: string, name: string, ...steps: readonly string[]): string {
  return `- route:\n    id: ${routeId}\n    from:\n      uri: direct:${name}\n      steps:\n${steps.map((step) => `        - ${step}\n`).join("")}`;
}
