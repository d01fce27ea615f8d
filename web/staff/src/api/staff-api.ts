// Every request of the portal, by what it does.
import type { Door } from "../../../kit/line-door";
import type { StaffClient } from "./client";
import type {
  CalendarLink,
  Department,
  LoginOptions,
  Notice,
  Page,
  Payment,
  Profile,
  ProfileChange,
  ReceptionCode,
  Registration,
  Reservation,
  Slot,
  WaitingPlace,
} from "./shapes";

const LARGEST_PAGE = 200;

export class StaffApi {
  constructor(readonly client: StaffClient) {}

  options = (): Promise<LoginOptions> => this.client.openly({ method: "GET", path: "/auth/options" });

  door = (): Promise<Door> => this.client.openly({ method: "GET", path: "/api/staff-door" });

  departments = async (): Promise<Department[]> => {
    const { items } = await this.client.openly<{ items: Department[] }>({ method: "GET", path: "/api/departments" });
    return items;
  };

  register = (body: Registration): Promise<unknown> => this.client.openly({ method: "POST", path: "/api/staffs", body });

  me = (): Promise<Profile> => this.get("/api/staffs/me");

  changeMe = (version: number, change: ProfileChange, currentPin: string | null): Promise<Profile> => {
    const body = { version, ...change, ...(currentPin === null ? {} : { currentPin }) };
    return this.client.request({ method: "PATCH", path: "/api/staffs/me", body });
  };

  changePin = (currentPin: string, newPin: string): Promise<unknown> =>
    this.client.request({ method: "POST", path: "/api/staffs/pin/change", body: { currentPin, newPin } });

  linkLine = (): Promise<unknown> => this.client.request({ method: "POST", path: "/api/staffs/me/line-link", body: {} });

  unlinkLine = (): Promise<unknown> => this.client.request({ method: "DELETE", path: "/api/staffs/me/line-link" });

  /** All slots of a few days. */
  slots = (from: string, to: string): Promise<Slot[]> => this.all(`/api/slots?from=${from}&to=${to}`);

  /** The next slots from a day on, at most one page of them. */
  nextSlots = async (from: string): Promise<Slot[]> => {
    const { items } = await this.get<Page<Slot>>(`/api/slots?from=${from}&limit=${LARGEST_PAGE}`);
    return items;
  };

  reservations = (): Promise<Reservation[]> => this.all("/api/reservations/me?");

  book = (slotId: number, key: string): Promise<Reservation> => this.write("POST", "/api/reservations", key, { slotId });

  /** The payment page that is open, or another one. */
  pay = (id: number, key: string): Promise<Payment> => this.write("POST", `/api/reservations/${id}/payment`, key, {});

  move = (id: number, slotId: number, key: string): Promise<Reservation> =>
    this.write("PATCH", `/api/reservations/${id}`, key, { slotId });

  cancel = (id: number, key: string): Promise<void> => this.write("DELETE", `/api/reservations/${id}`, key);

  reception = (id: number): Promise<ReceptionCode> => this.get(`/api/reservations/${id}/reception`);

  calendar = (id: number): Promise<CalendarLink> => this.get(`/api/reservations/${id}/calendar`);

  renewCalendarLinks = (): Promise<unknown> =>
    this.client.request({ method: "POST", path: "/api/reservations/calendar-keys/renewal", body: { confirm: true } });

  notice = (id: number): Promise<Notice> => this.get(`/api/reservations/${id}/notice`);

  waiting = (): Promise<WaitingPlace[]> => this.all("/api/waiting/me?");

  wait = (slotId: number, key: string): Promise<WaitingPlace> => this.write("POST", `/api/slots/${slotId}/waiting`, key, {});

  stopWaiting = (id: number, key: string): Promise<void> => this.write("DELETE", `/api/waiting/${id}`, key);

  private get<T>(path: string): Promise<T> {
    return this.client.request({ method: "GET", path });
  }

  private write<T>(method: string, path: string, key: string, body?: unknown): Promise<T> {
    const headers = { "idempotency-key": key };
    return this.client.request({ method, path, headers, ...(body === undefined ? {} : { body }) });
  }

  /** Every page of a list, one after the other. */
  private async all<T>(path: string): Promise<T[]> {
    const found: T[] = [];
    let cursor: string | null = null;
    do {
      const rest: string = cursor === null ? "" : `&cursor=${encodeURIComponent(cursor)}`;
      const page: Page<T> = await this.get<Page<T>>(`${path}&limit=${LARGEST_PAGE}${rest}`);
      found.push(...page.items);
      cursor = page.nextCursor;
    } while (cursor !== null);
    return found;
  }
}
