import { createRoute, lazyRouteComponent } from "@tanstack/react-router";
import { coverageSearch } from "../coverage/search";
import { inside } from "../frame/inside";
import { ListSkeleton } from "../frame/ListSkeleton";
import { textsSearch } from "../notice-texts/search";
import { noticesSearch } from "../notices/search";
import { paymentsSearch } from "../payments/search";
import { receptionSearch } from "../reception/search";
import { calendarSearch, daySearch, manySearch, planSearch } from "../slots/search";
import { staffsSearch } from "../staffs/search";

const calendar = createRoute({
  getParentRoute: () => inside,
  path: "/booking",
  component: lazyRouteComponent(() => import("../slots/CalendarPage"), "CalendarPage"),
  pendingComponent: ListSkeleton,
  validateSearch: calendarSearch,
});
const daySlots = createRoute({
  getParentRoute: () => inside,
  path: "/booking/slots",
  component: lazyRouteComponent(() => import("../slots/DaySlotsPage"), "DaySlotsPage"),
  pendingComponent: ListSkeleton,
  validateSearch: daySearch,
});
const slotsNew = createRoute({
  getParentRoute: () => inside,
  path: "/booking/slots/new",
  component: lazyRouteComponent(() => import("../slots/BulkPage"), "BulkPage"),
  pendingComponent: ListSkeleton,
  validateSearch: planSearch,
});
const slotsCopy = createRoute({
  getParentRoute: () => inside,
  path: "/booking/slots/copy",
  component: lazyRouteComponent(() => import("../slots/CopyPage"), "CopyPage"),
  pendingComponent: ListSkeleton,
  validateSearch: planSearch,
});
const slotsChange = createRoute({
  getParentRoute: () => inside,
  path: "/booking/slots/change",
  component: lazyRouteComponent(() => import("../slots/ManySlotsPage"), "ManySlotsPage"),
  pendingComponent: ListSkeleton,
  validateSearch: manySearch,
});
const slot = createRoute({
  getParentRoute: () => inside,
  path: "/booking/slots/$slotId",
  component: lazyRouteComponent(() => import("../slots/SlotPage"), "SlotPage"),
  pendingComponent: ListSkeleton,
});
const day = createRoute({
  getParentRoute: () => inside,
  path: "/booking/day",
  component: lazyRouteComponent(() => import("../reception/DaySheetPage"), "DaySheetPage"),
  pendingComponent: ListSkeleton,
  validateSearch: daySearch,
});
const dayPrint = createRoute({
  getParentRoute: () => inside,
  path: "/booking/day/print",
  component: lazyRouteComponent(() => import("../reception/DayPrintPage"), "DayPrintPage"),
  pendingComponent: ListSkeleton,
  validateSearch: daySearch,
});
const coverage = createRoute({
  getParentRoute: () => inside,
  path: "/booking/coverage",
  component: lazyRouteComponent(() => import("../coverage/CoveragePage"), "CoveragePage"),
  pendingComponent: ListSkeleton,
  validateSearch: coverageSearch,
});
const types = createRoute({
  getParentRoute: () => inside,
  path: "/booking/types",
  component: lazyRouteComponent(() => import("../reservation-types/TypesPage"), "TypesPage"),
  pendingComponent: ListSkeleton,
});
// The address in a person's QR code.
const reception = createRoute({
  getParentRoute: () => inside,
  path: "/reception",
  component: lazyRouteComponent(() => import("../reception/ReceptionPage"), "ReceptionPage"),
  pendingComponent: ListSkeleton,
  validateSearch: receptionSearch,
});
const staffs = createRoute({
  getParentRoute: () => inside,
  path: "/staffs",
  component: lazyRouteComponent(() => import("../staffs/StaffsPage"), "StaffsPage"),
  pendingComponent: ListSkeleton,
  validateSearch: staffsSearch,
});
const staffsImport = createRoute({
  getParentRoute: () => inside,
  path: "/staffs/import",
  component: lazyRouteComponent(() => import("../staffs/ImportPage"), "ImportPage"),
  pendingComponent: ListSkeleton,
});
const departments = createRoute({
  getParentRoute: () => inside,
  path: "/staffs/departments",
  component: lazyRouteComponent(() => import("../staffs/DepartmentsPage"), "DepartmentsPage"),
  pendingComponent: ListSkeleton,
});
const staff = createRoute({
  getParentRoute: () => inside,
  path: "/staffs/$staffUid",
  component: lazyRouteComponent(() => import("../staffs/StaffPage"), "StaffPage"),
  pendingComponent: ListSkeleton,
});
const notices = createRoute({
  getParentRoute: () => inside,
  path: "/notifications",
  component: lazyRouteComponent(() => import("../notices/NoticesPage"), "NoticesPage"),
  pendingComponent: ListSkeleton,
  validateSearch: noticesSearch,
});
const noticeTexts = createRoute({
  getParentRoute: () => inside,
  path: "/notifications/templates",
  component: lazyRouteComponent(() => import("../notice-texts/TextsPage"), "TextsPage"),
  pendingComponent: ListSkeleton,
  validateSearch: textsSearch,
});

export const BOOKING_ROUTES = [
  calendar,
  daySlots,
  slotsNew,
  slotsCopy,
  slotsChange,
  slot,
  day,
  dayPrint,
  coverage,
  types,
  reception,
  staffs,
  staffsImport,
  departments,
  staff,
  notices,
  noticeTexts,
] as const;

const payments = createRoute({
  getParentRoute: () => inside,
  path: "/payments",
  component: lazyRouteComponent(() => import("../payments/PaymentsPage"), "PaymentsPage"),
  pendingComponent: ListSkeleton,
  validateSearch: paymentsSearch,
});

/** Where Stripe's keys are set. */
export const PAYMENT_ROUTES = [payments] as const;
