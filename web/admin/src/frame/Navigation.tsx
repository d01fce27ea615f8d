import { Link, type LinkProps } from "@tanstack/react-router";
import { useId } from "react";
import type { NavigationItem } from "../../../api/config";
import { CONFIG } from "../config";
import classes from "./Frame.module.css";
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
    </Link>
  );
}
