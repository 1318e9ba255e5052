/** What takes the place of the library's own calculations: whole numbers beyond 2^53, which are bigints, keep every digit. */
import {
  exactDifference,
  exactProduct,
  exactRemainder,
  exactSum,
  maxDigits,
  readWhole,
} from "../../../shared/whole-numbers.ts";

type Numeric = number | bigint;

/** Called by the library's source as `numbers.sum(a, b)`; library.ts puts these calls there. */
export const numbers = {
  sum: exactSum,
  difference: exactDifference,
  product: exactProduct,
  remainder: exactRemainder,
  quotient: (a: Numeric, b: Numeric): number => Number(a) / Number(b),
  /** Of digits as an expression or a text has them. */
  read: (text: string): Numeric =>
    /^-?\d+$/.test(text) && text.length <= maxDigits ? readWhole(text) : Number.parseFloat(text),
  kind: (value: unknown): string => (typeof value === "bigint" ? "number" : typeof value),
  abs: (value: Numeric): Numeric => (typeof value === "number" ? Math.abs(value) : value < 0 ? -value : value),
  floor: (value: Numeric): Numeric => (typeof value === "number" ? Math.floor(value) : value),
  ceil: (value: Numeric): Numeric => (typeof value === "number" ? Math.ceil(value) : value),
  max: (values: readonly Numeric[]): Numeric => values.reduce((most, one) => (one > most ? one : most)),
  min: (values: readonly Numeric[]): Numeric => values.reduce((least, one) => (one < least ? one : least)),
};
