/** The character set in a Content-Type (RFC 9110, 8.3.2). */

const parameter = /;\s*charset\s*=\s*["']?([\w.:+-]+)["']?/i;

/** Returns the name as it is written; undefined when the type names none. */
export function charsetOfType(contentType: string | undefined): string | undefined {
  return contentType?.includes(";") === true ? parameter.exec(contentType)?.[1] : undefined;
}

/** Returns the type with this character set in place of its own. */
export function withCharset(contentType: string, charset: string): string {
  const written = `charset=${charset}`;
  return parameter.test(contentType) ? contentType.replace(parameter, `; ${written}`) : `${contentType}; ${written}`;
}

/** Whether text in this character set has the same bytes as in UTF-8; a type without one is read as UTF-8. */
export function isUtf8Charset(name: string | undefined): boolean {
  return name === undefined || /^(?:utf-?8|(?:us-)?ascii)$/i.test(name);
}

/** Whether ASCII text has the same bytes in this character set. Those of which this is unknown count as others. */
export function holdsAscii(name: string): boolean {
  return /^(?:utf-?8|(?:us-)?ascii|latin-?1|iso-?8859-\d+|windows-125\d|cp125\d|koi8-[ru]|gb(?:k|2312|18030)|big5|euc-(?:jp|kr)|shift_jis)$/i.test(
    name,
  );
}
