import classes from "./Recipients.module.css";

interface RecipientCountProps {
  chosen: number;
  off: number;
  unreachable: number;
}

/** Always in sight, and read out when it changes. */
export function RecipientCount({ chosen, off, unreachable }: RecipientCountProps) {
  const people = (count: number) => `${count.toLocaleString("ja-JP")}人`;
  return (
    <p className={classes.recipientCount} role="status">
      <span>
        送信先 <strong>{people(chosen)}</strong>
      </span>
      <small>
        <span>外した方 {people(off)}</span>
        {unreachable > 0 && <span>届かない方 {people(unreachable)}</span>}
      </small>
    </p>
  );
}
