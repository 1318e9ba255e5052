/** Which servers this run of the tests has to do without. */

/** The names of servers in a variable. */
export function namedIn(variable: "TEST_SERVERS_WITHOUT" | "TEST_SERVERS_WITH"): readonly string[] {
  return (process.env[variable] ?? "").split(",").filter((name) => name !== "");
}

/** Why the tests of a server are left out, for `skip`; false: they are not. */
export function missing(name: string): string | false {
  return namedIn("TEST_SERVERS_WITHOUT").includes(name) && `${name} cannot be had`;
}
