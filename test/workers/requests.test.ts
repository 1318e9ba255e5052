/** What control asks of a thread by words that they share. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { Word, wordCount } from "../../src/shared/protocol.ts";
import { Requests } from "../../src/workers/requests.ts";

function asked() {
  const words = new Int32Array(new SharedArrayBuffer(wordCount * Int32Array.BYTES_PER_ELEMENT));
  const requests = new Requests(words);
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

test("a collection frees what nobody holds, and is told; what else is asked is still asked then", () => {
  const { words, requests } = asked();
  words[Word.collect] = 1;
  words[Word.stop] = 4;
  words[Word.asked] = 1;
  const garbage = new WeakRef(new Array(10));
  return new Promise<void>((resolve) => setImmediate(resolve)).then(() => {
    requests.betweenSteps();
    assert.equal(garbage.deref(), undefined);
    assert.deepEqual([words[Word.collect], words[Word.asked]], [2, 1]);
    words[Word.collect] = 1;
    words[Word.stop] = 0;
    requests.betweenSteps();
    assert.deepEqual([words[Word.collect], words[Word.asked]], [2, 0]);
  });
});
