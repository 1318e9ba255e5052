/** Something is on its way. It is shown late, so that what comes at once does not flicker. */
import "./loading.css";
import { words } from "../words.ts";

export function Loading() {
  return (
    <p className="loading" role="status">
      {words.ui.loading}
    </p>
  );
}
