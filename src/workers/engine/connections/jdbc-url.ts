/** Reads the JDBC URLs of PostgreSQL, MySQL and MariaDB. */

export interface JdbcTarget {
  readonly kind: "postgres" | "mysql";
  /** Port 0: the usual one. */
  readonly servers: readonly { readonly host: string; readonly port: number }[];
  readonly database?: string;
  readonly username?: string;
  readonly password?: string;
  /** true: encrypted, with the server's certificate checked. */
  readonly tls: boolean;
  readonly options?: Readonly<Record<string, string>>;
}

const kinds: Readonly<Record<string, JdbcTarget["kind"]>> = {
  postgresql: "postgres",
  mysql: "mysql",
  mariadb: "mysql",
};

/** Values of `sslmode` and `sslMode` that check the certificate, and those without encryption. */
const checked = new Set(["verify-full", "verify_identity"]);
const open = new Set(["disable", "disabled"]);

/** Returns what is wrong with the URL as the rest of a sentence that begins with it. */
export function readJdbcUrl(url: string): JdbcTarget | string {
  const [, product = "", rest = ""] = /^jdbc:([a-z0-9]+):(.*)$/is.exec(url.trim()) ?? [];
  const kind = kinds[product.toLowerCase()];
  if (kind === undefined) {
    const what =
      product === "" ? "is no JDBC URL" : `is one of '${product.slice(0, 40)}', which this runtime does not connect to`;
    return `${what}: jdbc:postgresql:, jdbc:mysql: and jdbc:mariadb: URLs are read, such as jdbc:postgresql://db.example.org:5432/orders`;
  }
  const [, authority = "", path = "", query = ""] = /^(?:\/\/([^/?]*))?\/?([^?]*)\??(.*)$/s.exec(rest) ?? [];
  if (authority.includes("@")) return "has a user before its server: give username and password as properties";
  const servers = authority.split(",").map(serverOf);
  if (servers.some((server) => server === undefined))
    return "has no server that can be read: write host:port behind //";
  const parameters = readParameters(kind, new URLSearchParams(query));
  if (typeof parameters === "string") return parameters;
  const database = decodeURIComponent(path);
  const found = servers.filter((server) => server !== undefined);
  return { kind, servers: found, ...(database !== "" && { database }), ...parameters };
}

function serverOf(text: string): { readonly host: string; readonly port: number } | undefined {
  if (text === "") return { host: "localhost", port: 0 };
  const [, bracketed, plain, port] = /^(?:\[([^\]]+)\]|([^[\]:]+))(?::(\d{1,5}))?$/.exec(text) ?? [];
  const host = bracketed ?? plain;
  return host === undefined || Number(port ?? 1) > 65_535 ? undefined : { host, port: Number(port ?? 0) };
}

type Parameters = Omit<JdbcTarget, "kind" | "servers" | "database">;

function readParameters(kind: JdbcTarget["kind"], query: URLSearchParams): Parameters | string {
  let tls = false;
  const texts: { username?: string; password?: string } = {};
  const options: Record<string, string> = {};
  for (const [name, value] of query) {
    const lower = name.toLowerCase();
    if (lower === "user") texts.username = value;
    else if (lower === "password") texts.password = value;
    else if (lower === "sslmode" || lower === "ssl" || lower === "usessl") {
      const mode = modeOf(kind, lower, value.toLowerCase());
      if (mode === undefined) return certificates(kind, `${name}=${value.slice(0, 40)}`);
      tls = mode;
    } else if (kind === "postgres" && name === "currentSchema") options["searchPath"] = value;
    else if (kind === "postgres" && name === "ApplicationName") options["applicationName"] = value;
    else return `has the parameter '${name.slice(0, 40)}', which has no effect here: leave it out`;
  }
  return { tls, ...texts, ...(Object.keys(options).length > 0 && { options }) };
}

/** undefined: the value would not check the certificate. */
function modeOf(kind: JdbcTarget["kind"], name: string, value: string): boolean | undefined {
  if (name === "sslmode") return checked.has(value) ? true : open.has(value) ? false : undefined;
  if (value === "false") return false;
  // The driver of PostgreSQL takes ssl=true for verify-full, others do not check the certificate.
  return kind === "postgres" && name === "ssl" && value === "true" ? true : undefined;
}

function certificates(kind: JdbcTarget["kind"], written: string): string {
  const mode = kind === "postgres" ? "sslmode=verify-full" : "sslMode=VERIFY_IDENTITY";
  const none = kind === "postgres" ? "sslmode=disable" : "sslMode=DISABLED";
  return `has ${written}, which does not check the server's certificate always: write ${mode}, or ${none} for a connection that is not encrypted`;
}
