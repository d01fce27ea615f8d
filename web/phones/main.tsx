import { render } from "preact";
import { App } from "./page/App";
import { start } from "./state/loading";

const place = document.getElementById("app");
if (place) {
  start();
  render(<App />, place);
}
