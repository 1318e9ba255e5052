/** Cuts a text into values (Camel: StringQuoteHelper.splitSafeQuote). */

/** Separators within single or double quotes do not count; blanks around a value and its quotes are left out. */
export function splitText(text: string, separator: string): readonly string[] {
  if (text.trim() === "") return [];
  const values: string[] = [];
  let value = "";
  let quote: string | undefined;
  let wasQuoted = false;
  const end = (): void => {
    values.push(wasQuoted ? value : value.trim());
    value = "";
    wasQuoted = false;
  };
  for (const character of text) {
    if (quote !== undefined) {
      if (character === quote) quote = undefined;
      else value += character;
    } else if ((character === '"' || character === "'") && value.trim() === "") {
      quote = character;
      wasQuoted = true;
      value = "";
    } else if (character === separator) end();
    else if (!wasQuoted || character.trim() !== "") value += character;
  }
  end();
  return values;
}
