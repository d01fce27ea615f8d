// A handful of line drawings; a whole icon library would weigh more than the console's own code.
import type { ReactNode } from "react";

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

export const HomeIcon = () => (
  <Icon>
    <path d="M4 11.5 12 4.5l8 7" />
    <path d="M6 10v9.5h12V10" />
    <path d="M10 19.5v-5.5h4v5.5" />
  </Icon>
);

export const FriendsIcon = () => (
  <Icon>
    <circle cx="9" cy="8.5" r="3.25" />
    <path d="M3 19.5c.4-3.6 2.7-5.5 6-5.5s5.6 1.9 6 5.5" />
    <path d="M15.5 5.6a3.25 3.25 0 0 1 0 5.8" />
    <path d="M17.5 14.5c2 .7 3.2 2.4 3.5 5" />
  </Icon>
);

export const AuditIcon = () => (
  <Icon>
    <circle cx="12" cy="12" r="8" />
    <path d="M12 7.5V12l3 2" />
  </Icon>
);

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
