/** Options of an endpoint: in the query of its address, or in `parameters`. Each is edited where it is written. */
import { type Change, type FlowText, optionsAt, type Path, setOption } from "../../model/index.ts";

/** All options that are set. */
export function endpointOptions(definition: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  const { parameters } = definition;
  const own = typeof parameters === "object" && parameters !== null ? parameters : {};
  return { ...Object.fromEntries(queryOf(definition["uri"])), ...own };
}

/** `undefined` removes the option. */
export function setEndpointOption(flow: FlowText, path: Path, name: string, value: unknown): Change[] {
  const { uri } = optionsAt(flow, path);
  const query = queryOf(uri);
  const at = query.findIndex(([one]) => one === name);
  if (at < 0 || typeof uri !== "string") return setParameter(flow, path, name, value);
  const changed = query.flatMap(([one, text]): [string, string][] =>
    one !== name ? [[one, text]] : value === undefined ? [] : [[one, String(value)]],
  );
  const [address = ""] = uri.split("?", 1);
  const joined = changed.map(([one, text]) => `${one}=${text}`).join("&");
  return setOption(flow, [...path, "uri"], joined === "" ? address : `${address}?${joined}`);
}

function setParameter(flow: FlowText, path: Path, name: string, value: unknown): Change[] {
  const { parameters } = optionsAt(flow, path);
  const others = Object.keys(parameters ?? {}).filter((one) => one !== name);
  // The last one takes the empty map with it.
  if (value === undefined && others.length === 0) return setOption(flow, [...path, "parameters"], undefined);
  return setOption(flow, [...path, "parameters", name], value);
}

/** As they are written: Camel decodes them itself. */
function queryOf(uri: unknown): readonly (readonly [string, string])[] {
  if (typeof uri !== "string" || !uri.includes("?")) return [];
  return uri
    .slice(uri.indexOf("?") + 1)
    .split("&")
    .filter((part) => part !== "")
    .map((part) => {
      const at = part.indexOf("=");
      return at < 0 ? [part, ""] : [part.slice(0, at), part.slice(at + 1)];
    });
}
