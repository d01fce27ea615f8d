import type { JSX } from "preact";
import { Link, usePath } from "../../../kit/router";
import { useSession } from "../session/session";

const TABS = [
  { to: "/", label: "予約する", icon: "M5 6h14v14H5zM5 10h14M9 3v4M15 3v4M12 13v4M10 15h4" },
  { to: "/reservations", label: "予約の確認", icon: "M6 4h12v16H6zM9 9h6M9 13h6M9 17h3" },
  { to: "/profile", label: "わたし", icon: "M12 12a4 4 0 1 0 0-8 4 4 0 0 0 0 8M5 20c.8-4 3.500-6 7-6s6.200 2 7 6" },
] as const;

/** Who is logged in, and the way out, on every page: at a shared PC the person before may still be. */
function Who(): JSX.Element {
  const { profile, logOut } = useSession();
  return (
    <div class="who">
      <span class="who-name">
        <b>{profile.fullName}さん</b>（{profile.departmentName}）
      </span>
      <button type="button" class="who-out" onClick={logOut}>
        ログアウト
      </button>
    </div>
  );
}

/** Who is logged in, and the three places of the portal: below the thumb on a phone, above the screen in a wide window. */
export function Tabs(): JSX.Element {
  return (
    <>
      <Who />
      <Places />
    </>
  );
}

function Places(): JSX.Element {
  const path = usePath();
  return (
    <nav class="tabs" aria-label="メニュー">
      {TABS.map(({ to, label, icon }) => (
        <Link key={to} to={to} class={`tab ${isWithin(path, to) ? "tab-here" : ""}`}>
          <svg viewBox="0 0 24 24" width="26" height="26" fill="none" stroke="currentColor" stroke-width="2" stroke-linecap="round" stroke-linejoin="round" aria-hidden="true">
            <path d={icon} />
          </svg>
          {label}
          {isWithin(path, to) && <span class="sr-only">（いまの画面）</span>}
        </Link>
      ))}
    </nav>
  );
}

function isWithin(path: string, place: string): boolean {
  return path === place || (place !== "/" && path.startsWith(`${place}/`));
}
