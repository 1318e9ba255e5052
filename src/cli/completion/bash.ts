import type { Place } from "./places.ts";

/** Where no word fits, bash completes file names. */
export function bashScript(places: readonly Place[]): string {
  const paths = places.filter(({ path }) => path !== "").map(({ path }) => `" ${path}"`);
  const cases = places.map(
    ({ path, words }) =>
      `    "${path === "" ? "" : ` ${path}`}") words="${words.map(({ text }) => text).join(" ")}" ;;`,
  );
  return `# Completion of bulkhead for bash.
_bulkhead() {
  local cur="\${COMP_WORDS[COMP_CWORD]}" path="" words="" at
  for ((at = 1; at < COMP_CWORD; at++)); do
    case "$path \${COMP_WORDS[at]}" in
      ${paths.join(" | ")}) path="$path \${COMP_WORDS[at]}" ;;
    esac
  done
  case "$path" in
${cases.join("\n")}
  esac
  COMPREPLY=($(compgen -W "$words" -- "$cur"))
}
complete -o default -F _bulkhead bulkhead
`;
}
