/** The part of a dialog that has the focus when it opens: `ref={firstFocus}`. Without one it is the button that closes it. */
export function firstFocus(element: HTMLElement | null): void {
  // React does not write the attribute, which the browser reads when it shows the dialog.
  element?.setAttribute("autofocus", "");
}
