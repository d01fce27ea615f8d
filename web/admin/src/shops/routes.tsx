import { createRoute, lazyRouteComponent } from "@tanstack/react-router";
import { customersSearch } from "../customers/search";
import { inside } from "../frame/inside";
import { ListSkeleton } from "../frame/ListSkeleton";
import { shopsSearch } from "../shops-list/search";

const shops = createRoute({
  getParentRoute: () => inside,
  path: "/shops",
  component: lazyRouteComponent(() => import("../shops-list/ShopsPage"), "ShopsPage"),
  pendingComponent: ListSkeleton,
  validateSearch: shopsSearch,
});
const shop = createRoute({
  getParentRoute: () => inside,
  path: "/shops/$shopId",
  component: lazyRouteComponent(() => import("../shop-detail/ShopPage"), "ShopPage"),
  pendingComponent: ListSkeleton,
});
const customers = createRoute({
  getParentRoute: () => inside,
  path: "/customers",
  component: lazyRouteComponent(() => import("../customers/CustomersPage"), "CustomersPage"),
  pendingComponent: ListSkeleton,
  validateSearch: customersSearch,
});

export const SHOPS_ROUTES = [shops, shop, customers] as const;
