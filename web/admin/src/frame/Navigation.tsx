import { useQuery } from "@tanstack/react-query";
import { Link, type LinkProps } from "@tanstack/react-router";
import { useId } from "react";
import type { NavigationItem } from "../../../api/config";
import { CONFIG } from "../config";
import { homeQuery } from "../home/queries";
import classes from "./Frame.module.css";
import hidden from "./Hidden.module.css";
import { iconNamed } from "./icons";
import { type MenuGroup, menuOf } from "./navigation";

const MENU = menuOf(CONFIG.navigation, CONFIG.features);

export function Navigation({ menu = MENU }: { menu?: MenuGroup[] }) {
  return (
    <nav aria-label="メインメニュー">
      {menu.map((group, index) => (
        <Group key={group.heading ?? index} {...group} />
      ))}
    </nav>
  );
}

function Group({ heading, items }: MenuGroup) {
  const id = useId();
  return (
    <>
      {heading !== null && (
        <p id={id} className={classes.groupHeading}>
          {heading}
        </p>
      )}
      <ul className={classes.pages} aria-labelledby={heading === null ? undefined : id}>
        {items.map((item) => (
          <li key={item.path}>
            <Page {...item} />
          </li>
        ))}
      </ul>
    </>
  );
}

function Page({ path, label, icon }: NavigationItem) {
  const Icon = iconNamed(icon);
  return (
    // The server names the pages of the parts that are on; only their routes are typed.
    <Link to={path as NonNullable<LinkProps["to"]>} className={classes.page} activeOptions={{ exact: path === "/" }}>
      <Icon />
      {label}
      {path === "/tickets" && <OpenTickets />}
    </Link>
  );
}

/** How many tickets nobody has taken on yet. While that is not known, nothing is said. */
function OpenTickets() {
  const open = useQuery(homeQuery).data?.tickets_open ?? 0;
  if (open === 0) return null;
  return (
    <span className={classes.waiting}>
      <span aria-hidden="true">{open.toLocaleString("ja-JP")}</span>
      <span className={hidden.hidden}>（未対応 {open.toLocaleString("ja-JP")}件）</span>
    </span>
  );
}
