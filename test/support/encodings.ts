/** Character sets, with words whose characters they have, for tests of what becomes of bytes. */
import fc from "fast-check";

/** A set's name, and the bytes of a text in it. */
export interface Encoding {
  readonly name: string;
  readonly characters: string;
  encode(text: string): Uint8Array;
}

export const euro = "äëïöüßéèñ¿£ €";

export function singleByte(name: string, characters: string): Encoding {
  const decoder = new TextDecoder(name);
  const bytes = new Map(Array.from({ length: 256 }, (_, byte) => [decoder.decode(Uint8Array.of(byte)), byte]));
  return { name, characters, encode: (text) => Uint8Array.from(text, (one) => bytes.get(one) ?? 0) };
}

export function utf16(name: string, littleEndian: boolean, mark: boolean): Encoding {
  return {
    name,
    characters: `${euro}中😀`,
    encode(text) {
      const units = mark ? `\ufeff${text}` : text;
      const bytes = Buffer.from(units, "utf16le");
      return littleEndian ? bytes : bytes.swap16();
    },
  };
}

export const utf8 = (mark: string): Encoding => ({
  name: "utf-8",
  characters: `${euro}中😀`,
  encode: (text) => Buffer.from(mark + text),
});

export const encodings: readonly Encoding[] = [
  singleByte("iso-8859-1", "äëïöüßéèñ¿£"),
  singleByte("iso-8859-15", euro),
  singleByte("windows-1252", `${euro}“”—`),
  utf16("utf-16", false, true),
  utf16("utf-16", true, true),
  utf16("utf-16be", false, false),
  utf16("utf-16le", true, false),
  utf8(""),
];

export const words = (characters: string): fc.Arbitrary<string> =>
  fc
    .array(fc.constantFrom(...characters.replaceAll(" ", ""), "a", "Z"), { minLength: 1, maxLength: 12 })
    .map((all) => all.join(""));
