import type { Place } from "./places.ts";

export function fishScript(places: readonly Place[]): string {
  const paths = places.filter(({ path }) => path !== "").map(({ path }) => quoted(` ${path}`));
  const lines = places.flatMap(({ path, words }) =>
    words.map(
      ({ text, about }) =>
        `complete -c bulkhead -n ${quoted(`__bulkhead_at ${quoted(path === "" ? "" : ` ${path}`)}`)} -a ${quoted(text)} -d ${quoted(about)}`,
    ),
  );
  return `# Completion of bulkhead for fish.
function __bulkhead_at
  set -l path ''
  for word in (commandline -opc)[2..-1]
    if contains -- "$path $word" ${paths.join(" ")}
      set path "$path $word"
    end
  end
  test "$path" = "$argv[1]"
end
${lines.join("\n")}
`;
}

/** In fish a quote and a backslash are escaped inside of single quotes. */
function quoted(text: string): string {
  return `'${text.replaceAll("\\", "\\\\").replaceAll("'", "\\'")}'`;
}
