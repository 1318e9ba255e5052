/** Ids of flows, as the runtime takes them. */

/** No `..`, no dot at the end, no name of a device of Windows, alone or with an extension. */
const grammar = /^(?!.*\.\.)(?!.*\.$)(?!(?:con|prn|aux|nul|com[0-9]|lpt[0-9])(?:\.|$))[a-z0-9][a-z0-9._-]{0,127}$/i;

/** Returns why `id` is not the id of a flow; undefined when it is one. `x.flow.yaml` is the companion file of the flow `x`. */
export function flowIdProblem(id: string): string | undefined {
  if (!grammar.test(id)) {
    return "an id has 1 to 128 characters of A-Z a-z 0-9 . _ -, begins with a letter or a digit, does not end with '.', has no '..', and is not the name of a device";
  }
  if (/\.flow$/i.test(id)) return "an id does not end with '.flow'";
  return undefined;
}
