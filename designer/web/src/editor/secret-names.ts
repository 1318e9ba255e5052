/** The names of the secrets that a flow may use on a runtime, as the runtime lists them; it answers no values. */
import { orThrow } from "../../../../src/client/client.ts";
import { type Loaded, type Polled, polled } from "../api/polled.ts";
import { runtimeOf, type Schemas } from "../api/runtime.ts";
import { mayDo } from "../api/session.ts";
import { words } from "../words.ts";

export type SecretName = Schemas["SecretName"];
type Names = Pick<Polled<readonly SecretName[]>, "get" | "subscribe">;

/** An operator may put a secret there at any time. */
const everyMs = 15_000;
const known = new Map<string, Names>();

/** Undefined until the runtime has answered, and for who may not write flows. */
export function secretNames(target: string | undefined, flowId: string): Names {
  if (target === undefined || !mayDo("editor")) return nobody;
  const key = `${target} ${flowId}`;
  const load = (signal: AbortSignal): Promise<readonly SecretName[]> =>
    orThrow(runtimeOf(target).GET("/_api/flows/{id}/secrets", { params: { path: { id: flowId } }, signal }));
  const one = known.get(key) ?? polled({ load, everyMs, isVisible: () => !document.hidden });
  known.set(key, one);
  return one;
}

const nothing: Loaded<readonly SecretName[]> = { value: undefined, error: undefined, at: 0 };
const nobody: Names = { get: () => nothing, subscribe: () => () => {} };

/** What is wrong with names that the runtime does not have; undefined: nothing, or it is not known. */
export function missingSecret(
  flowId: string,
  names: readonly string[],
  { value }: Loaded<readonly SecretName[]>,
): string | undefined {
  const missing = names.find((name) => value !== undefined && !value.some((one) => one.name === name));
  return missing === undefined ? undefined : words.form.noSecret(missing, flowId);
}
