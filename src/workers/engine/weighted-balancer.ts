/** Ways that get messages by weight (Camel: WeightedRoundRobinLoadBalancer, WeightedRandomLoadBalancer). */
import type { Processor } from "./processor.ts";

const greatestSum = 2 ** 31 - 1;

/** Throws for a text that is not one weight for each way. */
export function readWeights(text: string, delimiter: string, ways: number): readonly number[] {
  const parts = text.split(delimiter === "" ? "," : delimiter).map((part) => part.trim());
  if (parts.length !== ways) throw new Error(`distributionRatio has ${parts.length} weights for ${ways} steps`);
  const weights = parts.map((part) => {
    if (/^\d{1,9}$/.test(part)) return Number(part);
    throw new Error(
      `distributionRatio holds whole numbers such as 2${delimiter}3${delimiter}5, found '${part.slice(0, 100)}'`,
    );
  });
  const sum = weights.reduce((a, b) => a + b, 0);
  if (sum === 0 || sum > greatestSum)
    throw new Error(`the weights of distributionRatio add up to between 1 and ${greatestSum}`);
  return weights;
}

/** Within each round of as many messages as the weights add up to, each way gets as many as its weight. */
export function weightedBalancer(
  ways: readonly Processor[],
  weights: readonly number[],
  roundRobin: boolean,
): Processor {
  const sum = weights.reduce((a, b) => a + b, 0);
  let left = [...weights];
  let leftSum = sum;
  let last = -1;
  const inTurn = (): number => {
    do last = (last + 1) % left.length;
    while (left[last] === 0);
    return last;
  };
  const atRandom = (): number => {
    let drawn = Math.floor(Math.random() * leftSum);
    return left.findIndex((weight) => {
      drawn -= weight;
      return drawn < 0;
    });
  };
  return (exchange) => {
    const chosen = roundRobin ? inTurn() : atRandom();
    left[chosen] = (left[chosen] as number) - 1;
    leftSum -= 1;
    if (leftSum === 0) {
      left = [...weights];
      leftSum = sum;
      last = -1;
    }
    return (ways[chosen] as Processor)(exchange);
  };
}
