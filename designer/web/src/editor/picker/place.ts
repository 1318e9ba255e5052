/** Puts a box beside a rectangle of the window, so that all of it can be seen. */
export function placeBeside(box: HTMLElement, beside: DOMRect | undefined): void {
  const { offsetWidth: width, offsetHeight: height } = box;
  const edge = 8;
  if (beside === undefined) {
    box.style.left = `${Math.max(edge, (innerWidth - width) / 2)}px`;
    box.style.top = `${Math.max(edge, innerHeight * 0.12)}px`;
    return;
  }
  const left = Math.min(beside.right + edge, innerWidth - width - edge);
  const top = Math.min(beside.top - 20, innerHeight - height - edge);
  box.style.left = `${Math.max(edge, left)}px`;
  box.style.top = `${Math.max(edge, top)}px`;
}
