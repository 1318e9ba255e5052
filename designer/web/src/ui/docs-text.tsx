/** A sentence of the catalogue: what stands between backticks is code. */
export function DocsText({ text }: { readonly text: string }) {
  return text.split(/(`[^`]+`)/).map((part, index) =>
    part.startsWith("`") && part.endsWith("`") && part.length > 2 ? (
      // biome-ignore lint/suspicious/noArrayIndexKey: the parts of a sentence never change their order
      <code key={index}>{part.slice(1, -1)}</code>
    ) : (
      part
    ),
  );
}
