const PATHS = {
  close: "M6 6l12 12M18 6L6 18",
  reload: "M19 8a8 8 0 1 0 1 6M19 3v5h-5",
  send: "M4 12l16-8-6 16-3-6.5zM11 13.5L20 4",
  more: "M12 5v.01M12 12v.01M12 19v.01",
  plus: "M12 5v14M5 12h14",
  people: "M9 11a3.5 3.5 0 1 0 0-7 3.5 3.5 0 0 0 0 7zM2.5 20c.5-4 3-6 6.5-6s6 2 6.5 6M16 4.5a3.5 3.5 0 0 1 0 6M18 14.5c2 .8 3.2 2.5 3.5 5.5",
  outside: "M13 5h6v6M19 5l-9 9M17 14v5H5V7h5",
  down: "M6 9l6 6 6-6",
  up: "M6 15l6-6 6 6",
  search: "M11 18a7 7 0 1 0 0-14 7 7 0 0 0 0 14zM16 16l4.5 4.5",
  dice: "M5 4h14a1 1 0 0 1 1 1v14a1 1 0 0 1-1 1H5a1 1 0 0 1-1-1V5a1 1 0 0 1 1-1zM8.5 8.5v.01M15.5 8.5v.01M12 12v.01M8.5 15.5v.01M15.5 15.5v.01",
  alert: "M12 4l9 16H3zM12 10v4M12 17v.01",
  crowd: "M4 5h16v11h-9l-4 4v-4H4zM8.5 10.5l2.5 2.5 4.5-4.5",
  check: "M5 12.5l4.5 4.5L19 7.5",
  page: "M5 4h14v16H5zM9 9h6M9 13h6",
};

export type IconName = keyof typeof PATHS;

/** A line drawing in the colour of the text around it. It never speaks: the button that holds it has the label. */
export function Icon({ name, size = 20 }: { name: IconName; size?: number }) {
  return (
    <svg class={`icon icon-${name}`} width={size} height={size} viewBox="0 0 24 24" aria-hidden="true">
      <path d={PATHS[name]} />
    </svg>
  );
}
