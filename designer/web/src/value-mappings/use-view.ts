/** What of an element that scrolls can be seen, a frame at a time. */
import { type RefObject, useLayoutEffect, useState } from "react";
import type { View } from "./grid-layout.ts";

export function useView(element: RefObject<HTMLElement | null>): View {
  const [view, setView] = useState<View>({ top: 0, height: 600 });
  useLayoutEffect(() => {
    const { current } = element;
    if (current === null) return undefined;
    let frame = 0;
    const measure = (): void => {
      frame = 0;
      const { scrollTop: top, clientHeight: height } = current;
      setView((before) => (before.top === top && before.height === height ? before : { top, height }));
    };
    const schedule = (): void => {
      if (frame === 0) frame = requestAnimationFrame(measure);
    };
    measure();
    const sizes = new ResizeObserver(schedule);
    sizes.observe(current);
    current.addEventListener("scroll", schedule, { passive: true });
    return () => {
      cancelAnimationFrame(frame);
      sizes.disconnect();
      current.removeEventListener("scroll", schedule);
    };
  }, [element]);
  return view;
}
