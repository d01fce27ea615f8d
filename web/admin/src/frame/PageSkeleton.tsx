import { Skeleton } from "@mantine/core";

/** While the console finds out who is there. */
export function PageSkeleton() {
  return (
    <main style={{ maxWidth: "72rem", margin: "0 auto", padding: "6rem 1.5rem" }} aria-busy="true" aria-label="読み込んでいます">
      <Skeleton height={32} width="12rem" mb="lg" />
      <Skeleton height={120} mb="md" />
      <Skeleton height={120} />
    </main>
  );
}
