import type { Place } from "./places.ts";

export function zshScript(places: readonly Place[]): string {
  const paths = places.filter(({ path }) => path !== "").map(({ path }) => `" ${path}"`);
  const cases = places.map(({ path, words }) => {
    const described = words.map(({ text, about }) => quoted(`${text.replaceAll(":", "\\:")}:${about}`));
    return `    "${path === "" ? "" : ` ${path}`}") described=(${described.join(" ")}) ;;`;
  });
  return `#compdef bulkhead
_bulkhead() {
  local at="" word
  local -a described
  for word in "\${(@)words[2,CURRENT-1]}"; do
    case "$at $word" in
      ${paths.join(" | ")}) at="$at $word" ;;
    esac
  done
  case "$at" in
${cases.join("\n")}
  esac
  _describe bulkhead described || _files
}
# Read from a directory of fpath this file is the function; otherwise it is registered.
if [ "$funcstack[1]" = "_bulkhead" ]; then _bulkhead "$@"; else compdef _bulkhead bulkhead; fi
`;
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}
