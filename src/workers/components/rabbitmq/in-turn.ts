/** Which messages run next, of several consumers: those of the consumer that has the fewest under way. Each keeps its own order. */
import type { RabbitTaken } from "./taken.ts";

export class InTurn {
  /** By consumer: how many of its messages were taken, and are not settled. */
  readonly #underWay = new Map<object, number>();

  /** Returns the messages in the order in which they are to be taken. */
  order(arrived: readonly RabbitTaken[]): RabbitTaken[] {
    const counts = new Map(this.#underWay);
    const ranked = arrived.map((taken) => {
      const rank = counts.get(taken.lane) ?? 0;
      counts.set(taken.lane, rank + 1);
      return { taken, rank };
    });
    return ranked.sort((a, b) => a.rank - b.rank).map(({ taken }) => taken);
  }

  taken({ lane }: RabbitTaken): void {
    this.#underWay.set(lane, (this.#underWay.get(lane) ?? 0) + 1);
  }

  settled({ lane }: RabbitTaken): void {
    this.#underWay.set(lane, (this.#underWay.get(lane) ?? 0) - 1);
  }
}
