import { here, navigate, pathBelowBase } from "../../kit/router";

const REGISTER = "/register";
const START = "/";

/** Takes the place of the screen that needs it, so that the back button does not lead into a circle. */
export function leadToRegister(): void {
  const path = pathBelowBase(location.pathname);
  if (path !== REGISTER) navigate(REGISTER, { replace: true, then: path });
}

export function leaveRegister(notice: string): void {
  navigate(here().then ?? START, { replace: true, notice });
}
