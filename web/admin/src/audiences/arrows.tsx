import type { ReactNode } from "react";

function Drawing({ children }: { children: ReactNode }) {
  return (
    <svg viewBox="0 0 24 24" width="18" height="18" fill="none" stroke="currentColor" strokeWidth="2" strokeLinecap="round" strokeLinejoin="round" aria-hidden="true">
      {children}
    </svg>
  );
}

export const UpIcon = () => (
  <Drawing>
    <path d="M12 19V5M6 11l6-6 6 6" />
  </Drawing>
);

export const DownIcon = () => (
  <Drawing>
    <path d="M12 5v14M6 13l6 6 6-6" />
  </Drawing>
);

export const GripIcon = () => (
  <Drawing>
    <path d="M9 6v.01M15 6v.01M9 12v.01M15 12v.01M9 18v.01M15 18v.01" strokeWidth="3" />
  </Drawing>
);
