/** The document of a connection as its form edits it. Fields that the form does not know stay as they are. */

export type Document = Readonly<Record<string, unknown>>;

/** What the form needs of a kind. */
interface Kind {
  readonly name: string;
  readonly port: number | null;
  readonly fields: readonly string[];
  readonly required: readonly string[];
  readonly options: readonly { readonly name: string }[];
}

export const flowChoices = ["group", "all", "some"] as const;
export type FlowChoice = (typeof flowChoices)[number];

/** `value` undefined: the field is left out. */
export function withField(document: Document, name: string, value: unknown): Document {
  if (value !== undefined) return { ...document, [name]: value };
  const { [name]: _, ...others } = document;
  return others;
}

/** Of an object in the document, such as `tls`. An option that is left out leaves an empty object only where `keeps`. */
export function withPart(document: Document, part: string, name: string, value: unknown, keeps = false): Document {
  const changed = withField(partOf(document, part), name, value);
  return withField(document, part, keeps || Object.keys(changed).length > 0 ? changed : undefined);
}

export function partOf(document: Document, part: string): Document {
  const value = document[part];
  return typeof value === "object" && value !== null && !Array.isArray(value) ? (value as Document) : {};
}

/** Takes the fields and options along that the other kind has, too. */
export function withKind(document: Document, kind: Kind): Document {
  const options = Object.entries(partOf(document, "options")).filter(([name]) =>
    kind.options.some((option) => option.name === name),
  );
  let changed = withField(document, "kind", kind.name);
  for (const name of ["database", "username", "passwordRef", "privateKeyRef", "passphraseRef", "tls"])
    if (!kind.fields.includes(name)) changed = withField(changed, name, undefined);
  if (kind.port === null)
    for (const name of ["servers", "host", "port", "alsoServers"]) changed = withField(changed, name, undefined);
  return withField(changed, "options", options.length === 0 ? undefined : Object.fromEntries(options));
}

export function hasHost(document: Document): boolean {
  return document["host"] !== undefined || document["port"] !== undefined;
}

/** Writes the first server as host and port, or these as a server. */
export function withHost(document: Document, isHost: boolean): Document {
  if (isHost === hasHost(document)) return document;
  if (isHost) {
    const [first = ""] = listOf(document["servers"]);
    const [, host = first, port] = /^(.*?)(?::(\d+))?$/.exec(first) ?? [];
    const plain = withField(withField(document, "servers", undefined), "host", host);
    return port === undefined ? plain : withField(plain, "port", Number(port));
  }
  const { host = "", port, ...others } = document;
  const server = port === undefined ? String(host) : `${String(host)}:${String(port)}`;
  return { ...others, servers: server === "" ? [] : [server] };
}

export function listOf(value: unknown): readonly string[] {
  return Array.isArray(value) ? value.map(String) : [];
}

/** One entry on each line; nothing written: the field is left out. */
export function linesOf(text: string): readonly string[] | undefined {
  return text.trim() === "" ? undefined : text.split("\n").map((line) => line.trim());
}

export function flowChoiceOf({ flows }: Document): FlowChoice {
  if (flows === undefined) return "group";
  return Array.isArray(flows) && flows.length === 1 && flows[0] === "*" ? "all" : "some";
}

export function withFlowChoice(document: Document, choice: FlowChoice, name: string): Document {
  if (choice === "group") return withField(document, "flows", undefined);
  // At first the flows that may use it without the field: those of its group.
  const group = name.includes(".") ? `${name.slice(0, name.indexOf("."))}.*` : "";
  return withField(document, "flows", choice === "all" ? ["*"] : [group]);
}

/** Lines that are empty while somebody types are not sent. */
export function sentOf(document: Document): Document {
  let sent = document;
  for (const name of ["servers", "alsoServers", "flows"]) {
    if (!Array.isArray(sent[name])) continue;
    const full = listOf(sent[name]).filter((line) => line !== "");
    sent = withField(sent, name, full.length === 0 && name !== "flows" ? undefined : full);
  }
  return sent;
}

/** The names of fields that the document needs and does not have. */
export function missingIn(document: Document, kind: Kind | undefined): readonly string[] {
  if (kind === undefined) return ["kind"];
  const sent = sentOf(document);
  const missing = kind.required.filter((name) => sent[name] === undefined || sent[name] === "");
  if (kind.port !== null && sent["servers"] === undefined && (sent["host"] ?? "") === "")
    missing.push(hasHost(document) ? "host" : "servers");
  return missing;
}

export function documentText(document: Document): string {
  return `${JSON.stringify(document, null, 2)}\n`;
}

/** What is no number stays as it was typed: the runtime names what it expects. */
export function numberOf(text: string): number | string | undefined {
  const trimmed = text.trim();
  if (trimmed === "") return undefined;
  return /^-?\d{1,9}$/.test(trimmed) ? Number(trimmed) : trimmed;
}
