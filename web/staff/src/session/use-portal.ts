import { useCallback, useEffect, useLayoutEffect, useMemo, useRef, useState } from "preact/hooks";
import { navigate } from "../../../kit/router";
import { StaffClient } from "../api/client";
import type { LoginResult, Profile } from "../api/shapes";
import { StaffApi } from "../api/staff-api";
import { idleAt } from "./idle";
import { type Marks, SESSION_KEY } from "./marks";
import { consequenceOf, noticeOf, type Stage } from "./stage";

export const LEFT_ALONE = "しばらく操作がなかったため、ログアウトしました。";

export interface Portal {
  api: StaffApi;
  stage: Stage;
  /** The person wants to fill in later what a reservation needs. */
  postponed: boolean;
  postpone: (later: boolean) => void;
  start: () => void;
  loggedIn: (result: LoginResult, pin: string, own: boolean) => void;
  pinChanged: (pin: string) => void;
  profileChanged: (profile: Profile) => void;
  logOut: (notice?: string) => void;
  changePerson: () => void;
}

/** The steps from the log-in to the screens, and the way back from everywhere when the server asks for a step again. */
export function usePortal(marks: Marks, fetch?: typeof window.fetch): Portal {
  const [stage, setStage] = useState<Stage>({ kind: "starting" });
  const [postponed, postpone] = useState(false);
  const react = useRef<(error: unknown) => void>(() => {});
  const api = useMemo(() => new StaffApi(new StaffClient((error) => react.current(error), fetch)), []);

  const end = useCallback((notice: string) => {
    marks.end();
    postpone(false);
    setStage({ kind: "login", notice });
  }, []);
  const logOut = useCallback((notice = "ログアウトしました。") => {
    // The next person must not arrive where this one has been. Whose session has run out stays at their address.
    navigate("/", { replace: true });
    end(notice);
    void api.client.logout();
  }, []);

  const changePerson = useCallback(() => {
    end("ほかの職員番号でログインしてください。");
    void api.client.logout();
  }, []);

  /** The profile says which step comes next. */
  const enter = useCallback(async (pin: string | null) => {
    try {
      const profile = await api.me();
      setStage({ kind: "ready", profile, pin });
    } catch (error) {
      if (consequenceOf(error) === null) setStage({ kind: "failed", error });
    }
  }, []);

  react.current = (error) => {
    switch (consequenceOf(error)) {
      case "reload":
        return location.reload();
      case "login":
        return end(noticeOf(error));
      case "pin":
        return setStage({ kind: "pin", currentPin: null });
      case "missing":
        postpone(false);
        return void enter(null);
    }
  };

  const start = useCallback(() => {
    const mark = marks.session();
    if (mark === null) return setStage({ kind: "login", notice: "" });
    // The page was closed and nobody logged out: the next person at a shared PC must not find it open.
    if (!mark.own && idleAt(marks.lastTouch(), Date.now()).kind === "over") return logOut(LEFT_ALONE);
    setStage({ kind: "starting" });
    api.client.resume().then(
      (found) => (found ? enter(null) : end("")),
      (error: unknown) => (consequenceOf(error) === "login" ? end(noticeOf(error)) : setStage({ kind: "failed", error })),
    );
  }, []);
  useLayoutEffect(start, [start]);

  // Another tab has logged out, or somebody has logged in there.
  useEffect(() => {
    const follow = ({ key }: StorageEvent) => {
      if (key !== SESSION_KEY) return;
      if (marks.session() === null) end("ログアウトしました。");
      else location.reload();
    };
    addEventListener("storage", follow);
    return () => removeEventListener("storage", follow);
  }, []);

  const goOn = (pin: string) => {
    setStage({ kind: "starting" });
    void enter(pin);
  };
  const loggedIn = ({ pinMustChange }: LoginResult, pin: string, own: boolean) => {
    marks.begin(own);
    if (pinMustChange) setStage({ kind: "pin", currentPin: pin });
    else goOn(pin);
  };
  const profileChanged = (profile: Profile) => setStage({ kind: "ready", profile, pin: null });
  return { api, stage, postponed, postpone, start, loggedIn, pinChanged: goOn, profileChanged, logOut, changePerson };
}
