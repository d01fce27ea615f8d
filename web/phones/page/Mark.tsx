import mark from "../../brand/mark.svg";

/** Tsudoi's own mark, the same as on every other page. */
export function Mark({ size = 32 }: { size?: number }) {
  return <img class="mark" src={mark} width={size} height={size} alt="" />;
}
