// Screens by path below the address of the application. The browser's own history does the rest, so that the back
// button of the phone does what people expect.
import { type ComponentChildren, createContext, type FunctionComponent, type JSX } from "preact";
import { useContext, useEffect, useLayoutEffect, useState } from "preact/hooks";

/** The address under which this application is served, as its Vite configuration says: `/liff/` for the member app. */
export const BASE = import.meta.env.BASE_URL;
const MOVED = "tsudoi:moved";
const NOTICE_OVER = "tsudoi:notice-over";

export type Params = Record<string, string>;
export interface Route {
  /** Below the base, such as `/events/:id`. */
  path: string;
  screen: FunctionComponent<{ params: Params }>;
}

/** With the base `/liff/`, the path of `/liff/events/1` is `/events/1`, and `/liff` as well as `/liff/` is `/`. */
export function pathBelowBase(pathname: string): string {
  const below = pathname.startsWith(BASE) ? pathname.slice(BASE.length) : "";
  return `/${below.replace(/\/+$/, "")}`;
}

export function match(pattern: string, path: string): Params | null {
  const wanted = pattern.split("/");
  const given = path.split("/");
  if (wanted.length !== given.length) return null;
  const params: Params = {};
  for (const [i, part] of wanted.entries()) {
    const value = given[i] ?? "";
    if (part.startsWith(":") && value) params[part.slice(1)] = decode(value);
    else if (part !== value) return null;
  }
  return params;
}

/** A mistyped escape such as `%E3%` is no reason for a blank page. */
function decode(value: string): string {
  try {
    return decodeURIComponent(value);
  } catch {
    return value;
  }
}

export function hrefOf(path: string): string {
  return BASE + path.replace(/^\/+/, "");
}

/** What a history entry remembers besides its address. It survives a reload and is each frame's own. */
export interface Place {
  /** The screen from which the person came here. */
  from?: string;
  /** Where to go on to when this screen is done. */
  then?: string;
  /** Something to say on arrival, once. */
  notice?: string;
  /** How far the person had scrolled when they left. */
  y?: number;
}

export function here(): Place {
  return (history.state as Place | null) ?? {};
}

/** Changes what the current entry remembers. */
export function note(change: Place): void {
  history.replaceState({ ...here(), ...change }, "");
}

export function navigate(path: string, { replace = false, ...place }: Place & { replace?: boolean } = {}): void {
  if (replace) {
    history.replaceState({ from: here().from, ...place }, "", hrefOf(path));
  } else {
    note({ y: window.scrollY });
    history.pushState({ from: pathBelowBase(location.pathname), ...place }, "", hrefOf(path));
  }
  dispatchEvent(new Event(MOVED));
}

/** A new action begins: what an earlier one left to say must not stand beside its result. */
export function endNotice(): void {
  dispatchEvent(new Event(NOTICE_OVER));
}

/** Calls back when a new action begins. */
export function useNoticeEnd(over: () => void): void {
  useEffect(() => {
    addEventListener(NOTICE_OVER, over);
    return () => removeEventListener(NOTICE_OVER, over);
  }, []);
}

const CurrentPath = createContext("/");
export const usePath = (): string => useContext(CurrentPath);

export function Router({ routes, notFound: NotFound }: { routes: Route[]; notFound: FunctionComponent }): JSX.Element {
  const [path, setPath] = useState(() => pathBelowBase(location.pathname));
  useEffect(() => {
    // The browser would restore the position before the screen it belongs to is drawn.
    history.scrollRestoration = "manual";
    const follow = () => setPath(pathBelowBase(location.pathname));
    addEventListener("popstate", follow);
    addEventListener(MOVED, follow);
    return () => {
      removeEventListener("popstate", follow);
      removeEventListener(MOVED, follow);
    };
  }, []);
  useLayoutEffect(() => window.scrollTo(0, here().y ?? 0), [path]);
  return <CurrentPath.Provider value={path}>{screenFor(routes, path) ?? <NotFound />}</CurrentPath.Provider>;
}

function screenFor(routes: Route[], path: string): JSX.Element | null {
  for (const { path: pattern, screen: Screen } of routes) {
    const params = match(pattern, path);
    if (params) return <Screen key={path} params={params} />;
  }
  return null;
}

let goesBack = false;

/** One entry back. The browser takes a moment for it, and a second tap meanwhile would leave the application. */
export function goBack(): void {
  if (goesBack) return;
  goesBack = true;
  const arrived = () => {
    goesBack = false;
    removeEventListener("popstate", arrived);
  };
  addEventListener("popstate", arrived);
  // Where there is no entry to go back to, nothing is reported.
  setTimeout(arrived, 1_000);
  history.back();
}

interface LinkProps {
  to: string;
  class?: string;
  /** The address is the entry before this one: going back keeps the history short and the position known. */
  back?: boolean;
  children: ComponentChildren;
}

export function Link({ to, back = false, children, ...rest }: LinkProps): JSX.Element {
  const follow = (event: MouseEvent) => {
    if (event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
    event.preventDefault();
    if (back) goBack();
    else navigate(to);
  };
  return (
    <a href={hrefOf(to)} onClick={follow} {...rest}>
      {children}
    </a>
  );
}
