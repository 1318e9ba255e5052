/** Replaces the library's calculations: whole numbers beyond 2^53, which are bigints, keep every digit. */
import {
  exactDifference,
  exactProduct,
  exactRemainder,
  exactSum,
  maxDigits,
  readWhole,
} from "../../../shared/whole-numbers.ts";

type Numeric = number | bigint;

/** The library's source calls these as `numbers.sum(a, b)`; library.ts inserts these calls. */
export const numbers = {
  sum: exactSum,
  difference: exactDifference,
  product: exactProduct,
  remainder: exactRemainder,
  quotient: (a: Numeric, b: Numeric): number => Number(a) / Number(b),
  /** Reads the digits of an expression or a text. */
  read: (text: string): Numeric =>
    /^-?\d+$/.test(text) && text.length <= maxDigits ? readWhole(text) : Number.parseFloat(text),
  kind: (value: unknown): string => (typeof value === "bigint" ? "number" : typeof value),
  abs: (value: Numeric): Numeric => (typeof value === "number" ? Math.abs(value) : value < 0 ? -value : value),
  floor: (value: Numeric): Numeric => (typeof value === "number" ? Math.floor(value) : value),
  ceil: (value: Numeric): Numeric => (typeof value === "number" ? Math.ceil(value) : value),
  max: (values: readonly Numeric[]): Numeric => values.reduce((most, one) => (one > most ? one : most)),
  min: (values: readonly Numeric[]): Numeric => values.reduce((least, one) => (one < least ? one : least)),
};
