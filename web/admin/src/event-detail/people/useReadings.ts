import { useQuery } from "@tanstack/react-query";
import { useMemo } from "react";
import { membersQuery } from "../../members/queries";

/**
 * The readings (ふりがな) of the members by id. An event's list carries names only, so the roster is loaded when
 * somebody starts to search; until it is there, the search finds names.
 */
export function useReadings(enabled: boolean): ReadonlyMap<number, string | null> {
  const { data } = useQuery({ ...membersQuery, enabled });
  return useMemo(() => new Map(data?.map(({ id, kana }) => [id, kana])), [data]);
}
