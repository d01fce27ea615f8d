import { Link, type LinkProps } from "@tanstack/react-router";
import type { ReactNode } from "react";

/** A page of the console as the server names it, such as `/members?show=blocked`. */
export function PathLink({ path, className, children }: { path: string; className?: string | undefined; children: ReactNode }) {
  const [to = "", query = ""] = path.split("?");
  const search = Object.fromEntries(new URLSearchParams(query));
  return (
    <Link to={to as NonNullable<LinkProps["to"]>} search={search as never} className={className}>
      {children}
    </Link>
  );
}
