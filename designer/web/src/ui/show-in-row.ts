/** Scrolls a row that is wider than the page, as on a phone, so that one of its members is seen; the page stays where it is. */
export function showInRow(member: Element | null): void {
  const row = member?.parentElement;
  if (member === null || row === null || row === undefined) return;
  const [inside, around] = [member.getBoundingClientRect(), row.getBoundingClientRect()];
  if (inside.right > around.right) row.scrollLeft += inside.right - around.right + 16;
  else if (inside.left < around.left) row.scrollLeft -= around.left - inside.left + 16;
}
