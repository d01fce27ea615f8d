import { Skeleton } from "@mantine/core";
import about from "./about/About.module.css";
import answers from "./answers/Answers.module.css";
import classes from "./EventDetail.module.css";
import people from "./people/People.module.css";
import sending from "./sending/Sending.module.css";

/** The placeholder has the size of the content, so that nothing moves when it is loaded. */
export function EventSkeleton() {
  return (
    <div role="status" aria-busy="true" aria-label="読み込んでいます">
      <Skeleton height={20} width="8rem" mb="md" />
      <Skeleton height={34} width="min(24rem, 80%)" mb="sm" />
      <Skeleton height={28} width="16rem" mb="md" />
      <Skeleton height={36} width="min(34rem, 100%)" mb="xl" />
      <div className={classes.page}>
        <Skeleton className={answers.card ?? ""} height={160} radius="lg" />
        <Skeleton className={sending.card ?? ""} height={116} radius="lg" />
        <Skeleton className={about.card ?? ""} height={520} radius="lg" />
        <Skeleton className={people.people ?? ""} height={400} radius="lg" />
      </div>
    </div>
  );
}
