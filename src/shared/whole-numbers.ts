/** Exact arithmetic on whole numbers: a number up to 2^53, a bigint beyond. */

/** The most digits of a number in JSON (Jackson's StreamReadConstraints). */
export const maxDigits = 1000;

/** A whole number has more than `maxDigits` digits. */
export class LongNumberError extends Error {
  constructor(digits: number) {
    super(`a number of ${digits} digits, where a whole number has at most ${maxDigits}`);
    this.name = "LongNumberError";
  }
}

/** Reads digits as a number, beyond 2^53 as a bigint. `digits`: with or without a sign. Throws LongNumberError. */
export function readWhole(digits: string): number | bigint {
  const number = Number(digits);
  if (Number.isSafeInteger(number)) return number;
  const plain = digits.startsWith("+") ? digits.slice(1) : digits;
  const count = plain.length - (plain.startsWith("-") ? 1 : 0);
  if (count > maxDigits) throw new LongNumberError(count);
  return narrow(BigInt(plain));
}

/** Returns a number if it is exact, else the bigint. */
export function narrow(value: bigint): number | bigint {
  return value >= Number.MIN_SAFE_INTEGER && value <= Number.MAX_SAFE_INTEGER ? Number(value) : value;
}

/** A calculation on doubles and on whole numbers. */
interface Calculation {
  doubles(a: number, b: number): number;
  wholes(a: bigint, b: bigint): bigint;
}

const sum: Calculation = { doubles: (a, b) => a + b, wholes: (a, b) => a + b };
const difference: Calculation = { doubles: (a, b) => a - b, wholes: (a, b) => a - b };
const product: Calculation = { doubles: (a, b) => a * b, wholes: (a, b) => a * b };

/** The result has the sign of the first operand. */
const remainder: Calculation = { doubles: (a, b) => a % b, wholes: (a, b) => a % b };
const divided = exact(remainder);

/**
 * Two whole numbers yield a whole result, unless it has more digits than a number in JSON may have; it is then a
 * double.
 */
export const exactSum = exact(sum);
export const exactDifference = exact(difference);
export const exactProduct = exact(product);
export const exactRemainder = (a: number | bigint, b: number | bigint): number | bigint =>
  b === 0 ? Number.NaN : divided(a, b);

function exact({ doubles, wholes }: Calculation): (a: number | bigint, b: number | bigint) => number | bigint {
  return (a, b) => {
    if (typeof a === "number" && typeof b === "number") {
      const result = doubles(a, b);
      if (Number.isSafeInteger(result) || !Number.isSafeInteger(a) || !Number.isSafeInteger(b)) return result;
    } else if (!isWhole(a) || !isWhole(b)) return doubles(Number(a), Number(b));
    const result = wholes(BigInt(a), BigInt(b));
    return result > -longest && result < longest ? narrow(result) : doubles(Number(a), Number(b));
  };
}

const longest = 10n ** BigInt(maxDigits);

function isWhole(value: number | bigint): boolean {
  return typeof value === "bigint" || Number.isInteger(value);
}
