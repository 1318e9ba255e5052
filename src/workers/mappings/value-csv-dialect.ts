/** The form of CSV that value mappings are imported from and exported to. */
import { type Dialect, dialectOf } from "../formats/csv-dialect.ts";

/** An empty field without quotes is null, one in quotes the empty text. */
export const valueCsv: Dialect = dialectOf({
  format: "RFC4180",
  quoteMode: "ALL_NON_NULL",
  ignoreEmptyLines: true,
  quoteDisabled: false,
  escapeDisabled: false,
  commentMarkerDisabled: false,
  recordSeparatorDisabled: false,
  nullStringDisabled: false,
});
