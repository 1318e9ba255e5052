/** The page: its frame around the screen that the address names. */
import { words } from "../words.ts";

export function App() {
  return (
    <header className="bar">
      <strong>{words.app.name}</strong>
    </header>
  );
}
