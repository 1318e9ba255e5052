/** The option `description` of a flow: its first line is the name that people read, the others say more of it. */

/** Returns undefined when it has no name. */
export function nameIn(description: unknown): string | undefined {
  if (typeof description !== "string") return undefined;
  const [name = ""] = description.trim().split("\n", 1);
  return name.trim() === "" ? undefined : name.trim();
}

/** What stands below the name; "" when there is nothing. */
export function restOf(description: unknown): string {
  return typeof description === "string" ? description.split("\n").slice(1).join("\n") : "";
}

/** Returns undefined when both are empty. */
export function describedAs(name: string, rest: string): string | undefined {
  if (rest.trim() === "") return name === "" ? undefined : name;
  return `${name}\n${rest}`;
}
