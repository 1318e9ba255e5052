/** What runs in the page before its own scripts, and notes times that no script of the page could: as text, since the page has no modules of ours. */

/**
 * `window.pageClock` has the time of the first step that was painted, the long tasks since the start, and `await
 * picture(selector, text)`: the time of the first picture in which an element that fits the selector has the text.
 */
export const pageClockScript = `
window.pageClock = {
  firstStep: undefined,
  longTasks: [],
  lastKey: undefined,
  painted: () => new Promise((done) => requestAnimationFrame(() => {
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = () => { port1.close(); done(performance.now()); };
    port2.postMessage(0);
  })),
  picture: (isThere) => new Promise((done) => {
    const look = () => {
      if (!isThere()) return false;
      void window.pageClock.painted().then(done);
      return true;
    };
    if (look()) return;
    const observer = new MutationObserver(() => { if (look()) observer.disconnect(); });
    observer.observe(document, { subtree: true, childList: true, characterData: true, attributes: true });
  }),
};
new PerformanceObserver((list) => {
  for (const { startTime, duration } of list.getEntries()) window.pageClock.longTasks.push([startTime, duration]);
}).observe({ type: "longtask", buffered: true });
addEventListener("keydown", (event) => { window.pageClock.lastKey = event.timeStamp; }, true);
void window.pageClock.picture(() => document.querySelector(".canvas .node") !== null)
  .then((time) => { window.pageClock.firstStep = time; });
`;
