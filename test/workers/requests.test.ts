/** What control asks of a thread by words that they share. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { Word, wordCount } from "../../src/shared/protocol.ts";
import { Requests } from "../../src/workers/shared-words.ts";

function asked(collect?: () => void) {
  const words = new Int32Array(new SharedArrayBuffer(wordCount * Int32Array.BYTES_PER_ELEMENT));
  const requests = new Requests(words, collect as typeof gc);
  const stopped: number[] = [];
  requests.onStop = (slot) => stopped.push(slot);
  return { words, requests, stopped };
}

test("the run that is named ends, and no other one", () => {
  const { words, requests, stopped } = asked();
  words[Word.stop] = 4;
  words[Word.asked] = 1;
  requests.beforeStep(2);
  assert.deepEqual(stopped, []);
  requests.beforeStep(3);
  assert.deepEqual(stopped, [3]);
});

test("what control asks to be collected is collected and told; what else is asked is still asked then", () => {
  let collections = 0;
  const { words, requests } = asked(() => {
    collections += 1;
  });
  words[Word.collect] = 1;
  words[Word.stop] = 4;
  words[Word.asked] = 1;
  requests.betweenSteps();
  assert.deepEqual([collections, words[Word.collect], words[Word.asked]], [1, 2, 1]);
  words[Word.stop] = 0;
  requests.betweenSteps();
  assert.deepEqual([collections, words[Word.asked]], [1, 1]);
  words[Word.collect] = 1;
  requests.betweenSteps();
  assert.deepEqual([collections, words[Word.collect], words[Word.asked]], [2, 2, 0]);
});
