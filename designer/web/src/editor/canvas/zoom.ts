/** Zooms the canvas by Ctrl and the wheel, as maps do. */
import { type RefObject, useEffect, useState } from "react";

const [smallest, largest] = [0.3, 2];

export function useZoom(canvas: RefObject<HTMLElement | null>): number {
  const [zoom, setZoom] = useState(1);
  useEffect(() => {
    const element = canvas.current;
    const turn = (event: WheelEvent): void => {
      if (!event.ctrlKey) return;
      event.preventDefault();
      setZoom((before) => Math.min(largest, Math.max(smallest, before * 1.0015 ** -event.deltaY)));
    };
    // React's own listeners for the wheel cannot keep the page from zooming.
    element?.addEventListener("wheel", turn, { passive: false });
    return () => element?.removeEventListener("wheel", turn);
  }, [canvas]);
  return zoom;
}
