/**
 * The dialects of CSV that commons-csv knows, and the options that change them (Camel: CsvDataFormat.getActiveFormat).
 */

export interface Dialect {
  readonly delimiter: string;
  readonly quote: string | undefined;
  readonly quoteMode: "ALL" | "ALL_NON_NULL" | "MINIMAL" | "NON_NUMERIC" | "NONE" | undefined;
  readonly escape: string | undefined;
  readonly commentMarker: string | undefined;
  /** Ends a written record. */
  readonly recordSeparator: string | undefined;
  readonly nullString: string | undefined;
  readonly ignoreEmptyLines: boolean;
  readonly ignoreSurroundingSpaces: boolean;
  readonly trim: boolean;
  readonly trailingDelimiter: boolean;
  readonly allowMissingColumnNames: boolean;
  /** true: text after a closing quote belongs to the value, and the end of the text ends a quoted value. */
  readonly lenient: boolean;
}

const standard: Dialect = {
  delimiter: ",",
  quote: '"',
  quoteMode: undefined,
  escape: undefined,
  commentMarker: undefined,
  recordSeparator: "\r\n",
  nullString: undefined,
  ignoreEmptyLines: true,
  ignoreSurroundingSpaces: false,
  trim: false,
  trailingDelimiter: false,
  allowMissingColumnNames: false,
  lenient: false,
};

const database: Dialect = { ...standard, recordSeparator: "\n", ignoreEmptyLines: false };
const mysql: Dialect = {
  ...database,
  delimiter: "\t",
  quote: undefined,
  quoteMode: "ALL_NON_NULL",
  escape: "\\",
  nullString: "\\N",
};

const dialects = {
  DEFAULT: standard,
  EXCEL: { ...standard, ignoreEmptyLines: false, allowMissingColumnNames: true, lenient: true },
  INFORMIX_UNLOAD: { ...standard, delimiter: "|", escape: "\\", recordSeparator: "\n" },
  INFORMIX_UNLOAD_CSV: { ...standard, recordSeparator: "\n" },
  MONGODB_CSV: { ...standard, escape: '"', quoteMode: "MINIMAL" },
  MONGODB_TSV: { ...standard, escape: '"', quoteMode: "MINIMAL", delimiter: "\t" },
  MYSQL: mysql,
  ORACLE: { ...database, escape: "\\", nullString: "\\N", trim: true, quoteMode: "MINIMAL" },
  POSTGRESQL_CSV: { ...database, nullString: "", quoteMode: "ALL_NON_NULL" },
  POSTGRESQL_TEXT: mysql,
  RFC4180: { ...standard, ignoreEmptyLines: false },
  TDF: { ...standard, delimiter: "\t", ignoreSurroundingSpaces: true },
} as const satisfies Readonly<Record<string, Dialect>>;

export const dialectNames = Object.keys(dialects) as (keyof typeof dialects)[];

type Maybe<T> = { readonly [K in keyof T]?: T[K] | undefined };

export type DialectOptions = Maybe<Omit<Dialect, "lenient">> & {
  readonly format: keyof typeof dialects;
  readonly quoteDisabled: boolean;
  readonly escapeDisabled: boolean;
  readonly commentMarkerDisabled: boolean;
  readonly recordSeparatorDisabled: boolean;
  readonly nullStringDisabled: boolean;
};

/** Throws for options that contradict each other (commons-csv: CSVFormat.validate). */
export function dialectOf(options: DialectOptions): Dialect {
  const base: Dialect = dialects[options.format];
  const choose = <K extends keyof Dialect & keyof DialectOptions>(key: K): Dialect[K] =>
    (options[key] as Dialect[K] | undefined) ?? base[key];
  const dialect: Dialect = {
    ...base,
    delimiter: choose("delimiter"),
    quote: options.quoteDisabled ? undefined : choose("quote"),
    quoteMode: choose("quoteMode"),
    escape: options.escapeDisabled ? undefined : choose("escape"),
    commentMarker: options.commentMarkerDisabled ? undefined : choose("commentMarker"),
    recordSeparator: options.recordSeparatorDisabled ? undefined : choose("recordSeparator"),
    nullString: options.nullStringDisabled ? undefined : choose("nullString"),
    ignoreEmptyLines: choose("ignoreEmptyLines"),
    ignoreSurroundingSpaces: choose("ignoreSurroundingSpaces"),
    trim: choose("trim"),
    trailingDelimiter: choose("trailingDelimiter"),
    allowMissingColumnNames: choose("allowMissingColumnNames"),
  };
  validate(dialect);
  return dialect;
}

function validate({ quoteMode, ...dialect }: Dialect): void {
  const { delimiter, quote, commentMarker } = dialect;
  const named = { delimiter, quote, escape: dialect.escape, commentMarker };
  for (const [name, character] of Object.entries(named)) {
    if (character === "\n" || character === "\r") throw new Error(`${name} cannot be a line break`);
  }
  const clash = (a: keyof typeof named, b: keyof typeof named): void => {
    if (named[a] !== undefined && named[a] === named[b])
      throw new Error(`${a} and ${b} cannot be the same ('${named[a]}')`);
  };
  clash("quote", "delimiter");
  clash("escape", "delimiter");
  clash("commentMarker", "delimiter");
  clash("quote", "commentMarker");
  clash("escape", "commentMarker");
  if (quoteMode === "NONE" && named.escape === undefined) throw new Error("quoteMode NONE needs an escape character");
}
