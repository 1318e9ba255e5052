/** The group of a mapping: its id up to the first dot; "": it is for every flow. */
export function groupOf({ id }: { readonly id: string }): string {
  const dot = id.indexOf(".");
  return dot < 0 ? "" : id.slice(0, dot);
}
