/** People inside one outline. */
export function AudiencesIcon() {
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
      <rect x="3.5" y="4.5" width="17" height="15" rx="3" />
      <circle cx="9" cy="10.5" r="1.75" />
      <circle cx="15" cy="10.5" r="1.75" />
      <path d="M6.25 16c.3-1.7 1.3-2.5 2.75-2.5s2.45.8 2.75 2.5" />
      <path d="M12.25 16c.3-1.7 1.3-2.5 2.75-2.5s2.45.8 2.75 2.5" />
    </svg>
  );
}
