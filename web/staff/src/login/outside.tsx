import { createContext, type JSX } from "preact";
import { useContext, useState } from "preact/hooks";
import { navigate, type Route, Router } from "../../../kit/router";
import type { LoginResult } from "../api/shapes";
import type { StaffApi } from "../api/staff-api";
import { lazyScreen } from "../lazy-screen";
import { Login } from "./login";

const Register = lazyScreen(async () => (await import("../register/register")).Register);

interface OutsideProps {
  api: StaffApi;
  notice: string;
  onLogin: (result: LoginResult, pin: string, own: boolean) => void;
}

const OutsideContext = createContext<(OutsideProps & { registered: string; onRegistered: (staffId: string) => void }) | null>(null);

function useOutside() {
  const found = useContext(OutsideContext);
  if (!found) throw new Error("a screen of the log-in was drawn elsewhere");
  return found;
}

function LoginRoute(): JSX.Element {
  const { api, notice, registered, onLogin } = useOutside();
  return <Login api={api} notice={notice} staffId={registered} onLogin={onLogin} />;
}

function RegisterRoute(): JSX.Element {
  const { api, onRegistered } = useOutside();
  return <Register api={api} onRegistered={onRegistered} />;
}

const ROUTES: Route[] = [{ path: "/register", screen: RegisterRoute }];

/** Before the log-in. Every address shows it, so that the person arrives where they wanted to go. */
export function Outside(props: OutsideProps): JSX.Element {
  const [registered, setRegistered] = useState("");
  const onRegistered = (staffId: string) => {
    setRegistered(staffId);
    navigate("/", { replace: true, notice: "登録しました。決めた暗証番号（PIN）でログインしてください。" });
  };
  return (
    <OutsideContext.Provider value={{ ...props, registered, onRegistered }}>
      <Router routes={ROUTES} notFound={LoginRoute} />
    </OutsideContext.Provider>
  );
}
