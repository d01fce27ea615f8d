import { useQuery } from "@tanstack/react-query";
import { useMemo } from "react";
import { audiencesQuery } from "../audiences/queries";
import { membersQuery } from "../members/queries";
import type { Names } from "./names";

/** The log keeps ids. Until the names are there, or when they cannot be had, the ids are shown. */
export function useNames(): Names {
  const members = useQuery(membersQuery).data;
  const audiences = useQuery(audiencesQuery).data;
  return useMemo(() => {
    const people = new Map(members?.map(({ id, name }) => [id, name]));
    const groups = new Map(audiences?.map(({ id, name }) => [id, name]));
    return { member: (id) => people.get(id), audience: (id) => groups.get(id) };
  }, [members, audiences]);
}
