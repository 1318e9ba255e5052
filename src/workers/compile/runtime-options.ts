/**
 * Reads a component's options from the texts of a URI while a flow runs. The check reads the same definitions with zod
 * and with positions; here they get small schemas, since flow threads never load zod.
 */
import { parseDuration } from "../../shared/duration.ts";
import type { ComponentDefinition } from "../engine/component.ts";
import { prefixOf, withPrefixed } from "../engine/prefixed.ts";
import type { Slots, Z } from "../engine/slots.ts";
import { toCamelCase } from "../engine/slots.ts";

type Read = (text: string | undefined, name: string) => unknown;

/** The parts of a zod schema that definitions of components use. */
class Option {
  readonly #read: Read;

  constructor(read: Read) {
    this.#read = read;
  }

  read(text: string | undefined, name: string): unknown {
    return this.#read(text, name);
  }

  optional(): Option {
    return new Option((text, name) => (text === undefined ? undefined : this.#read(text, name)));
  }

  default(value: unknown): Option {
    return new Option((text, name) => (text === undefined ? value : this.#read(text, name)));
  }

  refine(test: (value: unknown) => unknown, message?: string | { readonly message?: string }): Option {
    const why = typeof message === "string" ? message : (message?.message ?? "it has a value that is not possible");
    return new Option((text, name) => {
      const value = this.#read(text, name);
      if (value !== undefined && !test(value)) throw new Error(`${name}: ${why}`);
      return value;
    });
  }

  transform(change: (value: unknown) => unknown): Option {
    return new Option((text, name) => change(this.#read(text, name)));
  }
}

function scalar(expected: string, convert: (text: string) => unknown): Option {
  return new Option((text, name) => {
    if (text === undefined) throw new Error(`it needs '${name}'`);
    const value = convert(text.trim());
    if (value === undefined) throw new Error(`'${name}' is ${expected}; found '${text.slice(0, 60)}'`);
    return value;
  });
}

const flag = scalar("true or false", (text) =>
  /^(true|false)$/i.test(text) ? text.toLowerCase() === "true" : undefined,
);
const integer = scalar("a whole number", (text) => (/^[+-]?\d{1,15}$/.test(text) ? Number(text) : undefined));
const duration = scalar("a duration such as 1500, 5s or 1m30s", parseDuration);
const text = new Option((value, name) => {
  if (value === undefined) throw new Error(`it needs '${name}'`);
  return value;
});

/** Only the check's schemas use the words. */
const slots = {
  text: () => text,
  flag: () => flag,
  integer: () => integer,
  duration: () => duration,
  oneOf: (values: readonly string[]) =>
    scalar(`one of ${values.join(", ")}`, (given) =>
      values.find((value) => value.toLowerCase() === given.toLowerCase()),
    ),
  only: (value: boolean, why: string) => flag.refine((given) => given === value, why).optional(),
  idle: (slot: () => Option) => slot().optional(),
  refused: (reason: string, unless?: string) =>
    new Option((value, name) => {
      if (value !== undefined && value.trim().toLowerCase() !== unless?.toLowerCase())
        throw new Error(`'${name}' is refused: ${reason}`);
      return undefined;
    }),
};

const z = { object: (shape: Readonly<Record<string, Option>>) => shape };

/** The options of each component, made on first use. */
const shapes = new WeakMap<ComponentDefinition, Readonly<Record<string, Option>>>();

export interface RuntimeOptions {
  readonly options: Record<string, unknown>;
  /** Parameters of a lenient component that are not options. */
  readonly parameters: readonly (readonly [name: string, value: string])[];
}

/** Throws an Error that names the invalid option. `given`: names and texts, including the path. */
export function runtimeOptions(
  component: ComponentDefinition,
  given: readonly (readonly [name: string, text: string])[],
): RuntimeOptions {
  let shape = shapes.get(component);
  if (shape === undefined) {
    shape = component.options(z as unknown as Z, slots as unknown as Slots) as unknown as Readonly<
      Record<string, Option>
    >;
    shapes.set(component, shape);
  }
  const texts = new Map<string, string>();
  const parameters: [name: string, value: string][] = [];
  for (const [name, value] of given) {
    const collected = prefixOf(component.prefixed, name);
    if (collected !== undefined) {
      const { prefix, option } = collected;
      texts.set(option, withPrefixed(texts.get(option), name.slice(prefix.length), value));
      continue;
    }
    const known = Object.hasOwn(shape, name) ? name : toCamelCase(name);
    if (component.lenient === true && !Object.hasOwn(shape, known)) {
      parameters.push([name, value]);
      continue;
    }
    if (!Object.hasOwn(shape, known))
      throw new Error(`component '${component.scheme}' has no option '${name.slice(0, 60)}'`);
    if (texts.has(known)) throw new Error(`'${known}' is given twice`);
    texts.set(known, value);
  }
  const read = Object.entries(shape).map(([name, option]) => [name, option.read(texts.get(name), name)]);
  return { options: Object.fromEntries(read), parameters };
}
