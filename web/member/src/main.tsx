import { render } from "preact";
import { readConfig } from "../../api/config";
import { App } from "./app";
import { starter } from "./session";
import "./styles.css";

const root = document.getElementById("app");
if (root) render(<App start={starter(readConfig)} />, root);
