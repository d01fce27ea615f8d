// A handful of line drawings; a whole icon library would weigh more than the console's own code.
import type { FC, ReactNode } from "react";

function Icon({ children }: { children: ReactNode }) {
  return (
    <svg
      viewBox="0 0 24 24"
      width="20"
      height="20"
      fill="none"
      stroke="currentColor"
      strokeWidth="1.75"
      strokeLinecap="round"
      strokeLinejoin="round"
      aria-hidden="true"
    >
      {children}
    </svg>
  );
}

const HomeIcon = () => (
  <Icon>
    <path d="M4 11.5 12 4.5l8 7" />
    <path d="M6 10v9.5h12V10" />
    <path d="M10 19.5v-5.5h4v5.5" />
  </Icon>
);

const MembersIcon = () => (
  <Icon>
    <circle cx="9" cy="8.5" r="3.25" />
    <path d="M3 19.5c.4-3.6 2.7-5.5 6-5.5s5.6 1.9 6 5.5" />
    <path d="M15.5 5.6a3.25 3.25 0 0 1 0 5.8" />
    <path d="M17.5 14.5c2 .7 3.2 2.4 3.5 5" />
  </Icon>
);

export const ClockIcon = () => (
  <Icon>
    <circle cx="12" cy="12" r="8" />
    <path d="M12 7.5V12l3 2" />
  </Icon>
);

export const EventsIcon = () => (
  <Icon>
    <rect x="4" y="5.5" width="16" height="14" rx="2" />
    <path d="M4 10h16" />
    <path d="M8.5 3.5v4M15.5 3.5v4" />
  </Icon>
);

/** People inside one outline. */
const AudiencesIcon = () => (
  <Icon>
    <rect x="3.5" y="4.5" width="17" height="15" rx="3" />
    <circle cx="9" cy="10.5" r="1.75" />
    <circle cx="15" cy="10.5" r="1.75" />
    <path d="M6.25 16c.3-1.7 1.3-2.5 2.75-2.5s2.45.8 2.75 2.5" />
    <path d="M12.25 16c.3-1.7 1.3-2.5 2.75-2.5s2.45.8 2.75 2.5" />
  </Icon>
);

/** A day of a calendar that is ticked off. */
const BookingIcon = () => (
  <Icon>
    <rect x="4" y="5.5" width="16" height="14" rx="2" />
    <path d="M8.5 3.5v4M15.5 3.5v4" />
    <path d="m8.5 13 2.4 2.4 4.6-5" />
  </Icon>
);

/** The corners of a QR code with a tick in the middle. */
const ReceptionIcon = () => (
  <Icon>
    <path d="M4 8.5V4h4.5M15.5 4H20v4.5M20 15.5V20h-4.5M8.5 20H4v-4.5" />
    <path d="m8.5 12 2.4 2.4 4.6-5" />
  </Icon>
);

/** A calendar with an answer in each of its boxes: a circle and a cross. */
const ThreadsIcon = () => (
  <Icon>
    <rect x="4" y="5.5" width="16" height="14" rx="2" />
    <path d="M8.5 3.5v4M15.5 3.5v4" />
    <circle cx="8.75" cy="13.25" r="1.9" />
    <path d="m13.5 11.5 3.5 3.5m0-3.5-3.5 3.5" />
  </Icon>
);

/** A person on a badge. */
const StaffsIcon = () => (
  <Icon>
    <rect x="5" y="5.5" width="14" height="15" rx="2" />
    <path d="M10 3.5h4v3.5h-4Z" />
    <circle cx="12" cy="12" r="2.25" />
    <path d="M8.5 17.75c.4-1.8 1.6-2.75 3.5-2.75s3.1.95 3.5 2.75" />
  </Icon>
);

const BellIcon = () => (
  <Icon>
    <path d="M6.5 16.5v-6a5.5 5.5 0 0 1 11 0v6l1.5 1.5H5Z" />
    <path d="M10 20.25c.5.5 1.2.75 2 .75s1.5-.25 2-.75" />
    <path d="M12 5V3.5" />
  </Icon>
);

/** A card to pay with. */
const PaymentsIcon = () => (
  <Icon>
    <rect x="3.5" y="6" width="17" height="12.5" rx="2" />
    <path d="M3.5 10.25h17" />
    <path d="M7 14.75h3.5" />
  </Icon>
);

/** A magnifying glass. */
const PeopleIcon = () => (
  <Icon>
    <circle cx="10.5" cy="10.5" r="6.5" />
    <path d="m15.5 15.5 5 5" />
  </Icon>
);

const PageIcon = () => (
  <Icon>
    <path d="M6.5 3.5h7l4 4v13h-11Z" />
    <path d="M13.5 3.5v4h4" />
  </Icon>
);

/** A shop with its awning. */
const ShopsIcon = () => (
  <Icon>
    <path d="M5 5h14l1.5 5h-17Z" />
    <path d="M5.5 10v9.5h13V10" />
    <path d="M10 19.5V14h4v5.5" />
  </Icon>
);

/** A person whom a shop knows. */
const CustomersIcon = () => (
  <Icon>
    <circle cx="10" cy="8" r="3.25" />
    <path d="M4 19.5c.4-3.6 2.7-5.5 6-5.5 1 0 1.9.2 2.7.5" />
    <path d="m14.5 17.5 2 2 4-4.5" />
  </Icon>
);

/** Two links of a chain. */
const ConnectionsIcon = () => (
  <Icon>
    <rect x="3" y="8.5" width="10.5" height="7" rx="3.5" />
    <rect x="10.5" y="8.5" width="10.5" height="7" rx="3.5" />
  </Icon>
);

const TicketsIcon = () => (
  <Icon>
    <path d="M3.5 7h17v3.25a1.75 1.75 0 0 0 0 3.5V17h-17v-3.25a1.75 1.75 0 0 0 0-3.5Z" />
    <path d="M14.5 7.5v9" strokeDasharray="2 2.5" />
  </Icon>
);

/** A person with a key. */
const AdminsIcon = () => (
  <Icon>
    <circle cx="9" cy="8" r="3.25" />
    <path d="M3 19.5c.4-3.6 2.7-5.5 6-5.5 1.2 0 2.2.2 3.1.7" />
    <circle cx="17.5" cy="13" r="2.25" />
    <path d="M17.5 15.25v5.25m0-2h2" />
  </Icon>
);

const TelephoneIcon = () => (
  <Icon>
    <path d="M6.5 4.5h3l1.5 4-2 1.5a11 11 0 0 0 5 5l1.5-2 4 1.5v3a1.5 1.5 0 0 1-1.5 1.5C10.5 19 5 13.5 5 6a1.5 1.5 0 0 1 1.5-1.5Z" />
  </Icon>
);

/** The drawings of the menu, by the names that the server's configuration uses. */
const BY_NAME: Record<string, FC> = {
  home: HomeIcon,
  events: EventsIcon,
  threads: ThreadsIcon,
  members: MembersIcon,
  audiences: AudiencesIcon,
  admins: AdminsIcon,
  audit: ClockIcon,
  booking: BookingIcon,
  reception: ReceptionIcon,
  staffs: StaffsIcon,
  notifications: BellIcon,
  payments: PaymentsIcon,
  people: PeopleIcon,
  shops: ShopsIcon,
  customers: CustomersIcon,
  connections: ConnectionsIcon,
  telephone: TelephoneIcon,
  tickets: TicketsIcon,
};

/** A plain sheet of paper for a name without a drawing: a menu with a gap would look broken. */
export function iconNamed(name: string): FC {
  return BY_NAME[name] ?? PageIcon;
}

export const LogOutIcon = () => (
  <Icon>
    <path d="M14 4.5H6v15h8" />
    <path d="M10.5 12H20.5" />
    <path d="m17 8.5 3.5 3.5-3.5 3.5" />
  </Icon>
);

export const InfoIcon = () => (
  <Icon>
    <circle cx="12" cy="12" r="8.5" />
    <path d="M12 11v5" />
    <path d="M12 7.75v.01" />
  </Icon>
);

export const SuccessIcon = () => (
  <Icon>
    <circle cx="12" cy="12" r="8.5" />
    <path d="m8.5 12.25 2.4 2.4 4.6-5" />
  </Icon>
);

export const WarningIcon = () => (
  <Icon>
    <path d="M12 4.5 3.5 19h17Z" />
    <path d="M12 10v4.5" />
    <path d="M12 16.8v.01" />
  </Icon>
);

export const DangerIcon = () => (
  <Icon>
    <circle cx="12" cy="12" r="8.5" />
    <path d="M12 7.5v5" />
    <path d="M12 16v.01" />
  </Icon>
);

export const QuestionIcon = () => (
  <Icon>
    <circle cx="12" cy="12" r="8.5" />
    <path d="M9.6 9.6a2.5 2.5 0 1 1 3.7 2.2c-.9.5-1.3 1-1.3 1.9" />
    <path d="M12 16.5v.01" />
  </Icon>
);

export const ReloadIcon = () => (
  <Icon>
    <path d="M19 12a7 7 0 1 1-2-4.9" />
    <path d="M19 4v4h-4" />
  </Icon>
);

export const ShowIcon = () => (
  <Icon>
    <path d="M3 12s3.2-5.5 9-5.5 9 5.5 9 5.5-3.2 5.5-9 5.5S3 12 3 12Z" />
    <circle cx="12" cy="12" r="2.5" />
  </Icon>
);

export const HideIcon = () => (
  <Icon>
    <path d="M3 12s3.2-5.5 9-5.5 9 5.5 9 5.5-3.2 5.5-9 5.5S3 12 3 12Z" />
    <path d="M5 19 19 5" />
  </Icon>
);
