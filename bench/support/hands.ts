/**
 * What a person does with mouse and keyboard, done on a page and counted, with the time of a keystroke-level model: each click, drag and scroll
 * begins with a decision, and so does a text that does not go into what was clicked just before.
 */
import type { Locator, Page } from "playwright-core";

type Point = readonly [x: number, y: number];

/** Seconds of each act; a drag has two ends, `hands` is a change between mouse and keyboard. */
const seconds = {
  clicks: 1.1,
  doubleClicks: 1.3,
  drags: 2.2,
  scrolls: 1.1,
  keys: 0.2,
  characters: 0.2,
  decisions: 1.35,
  hands: 0.4,
} as const;
const steps = 4;

type Act = keyof typeof seconds;

export class Hands {
  readonly counts: Record<Act, number> = {
    ...{ clicks: 0, doubleClicks: 0, drags: 0, scrolls: 0 },
    ...{ keys: 0, characters: 0, decisions: 0, hands: 0 },
  };
  readonly #page: Page;
  #atMouse = true;
  /** What is typed next goes into what was clicked. */
  #clicked = false;

  constructor(page: Page) {
    this.#page = page;
  }

  /** Seconds that the model gives for all acts so far. */
  get modelled(): number {
    return Object.entries(this.counts).reduce((sum, [act, count]) => sum + count * seconds[act as Act], 0);
  }

  async click(part: Locator): Promise<void> {
    this.#mouse("clicks");
    await part.click();
    this.#clicked = true;
  }

  async doubleClick(part: Locator): Promise<void> {
    this.#mouse("doubleClicks");
    await part.dblclick();
  }

  /** An entry of the browser's own drop-down list, or with a `Locator` of one that the page draws. */
  async choose(list: Locator, entry: string | Locator): Promise<void> {
    this.#mouse("clicks");
    this.counts.clicks += 1;
    if (typeof entry === "string") await list.selectOption({ label: entry });
    else {
      await list.click();
      await entry.click();
    }
  }

  /** In small steps: a single one is no drag for most pages. */
  async drag([fromX, fromY]: Point, [toX, toY]: Point): Promise<void> {
    this.#mouse("drags");
    const { mouse } = this.#page;
    await mouse.move(fromX, fromY);
    await mouse.down();
    await mouse.move((fromX + toX) / 2, (fromY + toY) / 2, { steps });
    await mouse.move(toX, toY, { steps });
    await mouse.up();
  }

  async scrollTo(part: Locator): Promise<void> {
    this.#mouse("scrolls");
    await part.scrollIntoViewIfNeeded();
  }

  async type(text: string): Promise<void> {
    this.#characters(text.length);
    await this.#page.keyboard.type(text);
  }

  /** A key that goes with what is done anyway, such as Enter behind a text: no decision. */
  async press(key: string): Promise<void> {
    this.#keyboard();
    this.counts.keys += 1;
    await this.#page.keyboard.press(key);
  }

  /** Replaces the text of a field, or fills an empty one. */
  async write(field: Locator, text: string, isEmpty = false): Promise<void> {
    await this.click(field);
    if (!isEmpty) await this.press("Control+a");
    await this.type(text);
  }

  /** A command and Enter in another window, which nobody drives: it is only counted. */
  countCommand(command: string): void {
    this.#mouse("clicks");
    this.#clicked = true;
    this.#characters(command.length);
    this.counts.keys += 1;
  }

  #mouse(act: Act): void {
    if (!this.#atMouse) this.counts.hands += 1;
    this.#atMouse = true;
    this.#clicked = false;
    this.counts.decisions += 1;
    this.counts[act] += 1;
  }

  #keyboard(): void {
    if (this.#atMouse) this.counts.hands += 1;
    this.#atMouse = false;
  }

  #characters(count: number): void {
    this.#keyboard();
    if (!this.#clicked) this.counts.decisions += 1;
    this.#clicked = false;
    this.counts.characters += count;
  }
}
