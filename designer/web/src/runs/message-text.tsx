/** A message as a text that scrolls, by the keyboard, too. */
interface MessageTextProps {
  /** What it is, for screen readers. */
  readonly label: string;
  readonly text: string;
}

export function MessageText({ label, text }: MessageTextProps) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls is reached by the keyboard
    <section className="message-text" tabIndex={0} aria-label={label}>
      <pre>{text}</pre>
    </section>
  );
}
