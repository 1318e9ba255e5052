/** Jackson's on/off features, those that mean something without Java classes. */

export interface Features {
  /** INDENT_OUTPUT */
  readonly indent: boolean;
  /** ORDER_MAP_ENTRIES_BY_KEYS */
  readonly sortKeys: boolean;
  /** WRITE_DATES_AS_TIMESTAMPS is off. */
  readonly textDates: boolean;
  /** ACCEPT_SINGLE_VALUE_AS_ARRAY */
  readonly singleAsList: boolean;
}

/** Either way the same here: they are about classes and their properties, or about what JSON.parse does anyway. */
const withoutEffect = new Set(["FAIL_ON_UNKNOWN_PROPERTIES", "FAIL_ON_EMPTY_BEANS", "FAIL_ON_IGNORED_PROPERTIES"]);
const supported = [
  "INDENT_OUTPUT",
  "ORDER_MAP_ENTRIES_BY_KEYS",
  "WRITE_DATES_AS_TIMESTAMPS",
  "ACCEPT_SINGLE_VALUE_AS_ARRAY",
];

/** Throws for a feature that is not here. */
export function jacksonFeatures(options: {
  readonly enableFeatures?: string | undefined;
  readonly disableFeatures?: string | undefined;
}): Features {
  const on = new Set(["WRITE_DATES_AS_TIMESTAMPS"]);
  for (const name of namesOf(options.enableFeatures)) on.add(name);
  for (const name of namesOf(options.disableFeatures)) on.delete(name);
  return {
    indent: on.has("INDENT_OUTPUT"),
    sortKeys: on.has("ORDER_MAP_ENTRIES_BY_KEYS"),
    textDates: !on.has("WRITE_DATES_AS_TIMESTAMPS"),
    singleAsList: on.has("ACCEPT_SINGLE_VALUE_AS_ARRAY"),
  };
}

function namesOf(list: string | undefined): string[] {
  const names = (list ?? "").split(",").map((name) => name.trim());
  return names.filter((name) => {
    if (name === "" || withoutEffect.has(name)) return false;
    if (supported.includes(name)) return true;
    throw new Error(`Jackson's feature '${name.slice(0, 100)}' is not here; there are: ${supported.join(", ")}`);
  });
}
