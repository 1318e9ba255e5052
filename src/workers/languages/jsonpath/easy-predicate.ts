/** Camel's easy predicates: `store.book.price < 30` for `$.store.book[?(@.price < 30)]` (EasyPredicateParser). */

const operators = "==|!=|=~|<=|>=|<|>|nin|in|subsetof|anyof|noneof|contains|size|empty";
const easy = new RegExp(`^([^\\s=!<>~]+)\\s+(${operators})\\s+(\\S.*)$`, "s");

/** Returns the path of the tested values and the filter; undefined for a text that is a path itself. */
export function easyPredicate(text: string): { readonly nodes: string; readonly test: string } | undefined {
  if (text.startsWith("$") || text.startsWith("@")) return undefined;
  const [, left, operator, right] = easy.exec(text.trim()) ?? [];
  if (left === undefined) return undefined;
  const dot = left.lastIndexOf(".");
  // Without a dot any object of the document may have the property.
  const nodes = dot < 0 ? "$..*" : `$.${left.slice(0, dot)}`;
  return { nodes, test: `$[?(@.${left.slice(dot + 1)} ${operator} ${right})]` };
}
