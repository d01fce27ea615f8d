// @vitest-environment happy-dom
import { render } from "preact";
import { act } from "preact/test-utils";
import { beforeEach, describe, expect, test, vi } from "vitest";
import { goBack, here, Link, match, navigate, pathBelowBase, Router } from "./router";

describe("pathBelowBase", () => {
  test.each([
    ["/phone/", "/"],
    ["/phone", "/"],
    ["/phone/events/12", "/events/12"],
    ["/phone/events/12/", "/events/12"],
  ])("%s is %s", (pathname, path) => {
    expect(pathBelowBase(pathname)).toBe(path);
  });
});

describe("match", () => {
  test("takes the parameters out of the path", () => {
    expect(match("/events/:id", "/events/12")).toEqual({ id: "12" });
    expect(match("/events/:id", "/events/%E4%BC%9A")).toEqual({ id: "会" });
  });

  test("lets a broken escape through as it is", () => {
    expect(match("/events/:id", "/events/%E3%")).toEqual({ id: "%E3%" });
  });

  test("refuses other paths, longer ones and empty parameters", () => {
    expect(match("/events/:id", "/people/12")).toBeNull();
    expect(match("/events/:id", "/events/12/status")).toBeNull();
    expect(match("/events/:id", "/events/")).toBeNull();
  });
});

describe("Router", () => {
  const Home = () => <Link to="/events/12">行事</Link>;
  const Event = ({ params }: { params: Record<string, string> }) => <p>event {params["id"]}</p>;
  const routes = [
    { path: "/", screen: Home },
    { path: "/events/:id", screen: Event },
  ];
  let root: HTMLElement;

  function open(path: string) {
    history.replaceState(null, "", path);
    act(() => render(<Router routes={routes} notFound={() => <p>nothing here</p>} />, root));
  }

  beforeEach(() => {
    root = document.createElement("div");
    document.body.replaceChildren(root);
  });

  test("draws the screen of a deep link", () => {
    open("/phone/events/7");
    expect(root.textContent).toBe("event 7");
  });

  test("follows links without loading the page", () => {
    open("/phone/");
    act(() => root.querySelector("a")?.click());
    expect(root.textContent).toBe("event 12");
    expect(location.pathname).toBe("/phone/events/12");
  });

  test("follows the back button", () => {
    open("/phone/events/7");
    act(() => {
      history.replaceState(null, "", "/phone/");
      dispatchEvent(new PopStateEvent("popstate"));
    });
    expect(root.textContent).toBe("行事");
  });

  test("remembers where the person came from and how far they had scrolled", () => {
    open("/phone/");
    vi.stubGlobal("scrollY", 420);
    act(() => root.querySelector("a")?.click());
    expect(here()).toEqual({ from: "/" });
    vi.unstubAllGlobals();
    const scrolled = vi.spyOn(window, "scrollTo");
    act(() => {
      history.replaceState({ y: 420 }, "", "/phone/");
      dispatchEvent(new PopStateEvent("popstate"));
    });
    expect(scrolled).toHaveBeenCalledWith(0, 420);
  });

  test("says so when there is no such screen", () => {
    open("/phone/nowhere");
    expect(root.textContent).toBe("nothing here");
    act(() => navigate("/", { replace: true }));
    expect(root.textContent).toBe("行事");
  });
});

describe("goBack", () => {
  test("goes back once, however often it is asked before the browser has arrived", () => {
    const back = vi.spyOn(history, "back").mockImplementation(() => undefined);
    goBack();
    goBack();
    expect(back).toHaveBeenCalledTimes(1);
    dispatchEvent(new PopStateEvent("popstate"));
    goBack();
    expect(back).toHaveBeenCalledTimes(2);
    dispatchEvent(new PopStateEvent("popstate"));
    back.mockRestore();
  });
});
