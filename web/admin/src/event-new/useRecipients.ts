import { useQuery } from "@tanstack/react-query";
import { useMemo } from "react";
import type { Draft } from "./draft/draft";
import { audiencesQuery, candidatesQuery, membersQuery } from "./queries";
import { chosen, type Recipient, recipientsOf } from "./rules/recipients";

export interface Recipients {
  /** null while they are being loaded. */
  all: Recipient[] | null;
  chosen: Recipient[];
  error: unknown;
  refetch: () => void;
}

/** Who the chosen groups are made of now, and who of them is still ticked. Asked only from the step that needs it. */
export function useRecipients(draft: Draft, enabled: boolean): Recipients {
  const audiences = useQuery({ ...audiencesQuery, enabled: enabled && !draft.everybody });
  const members = useQuery({ ...membersQuery, enabled });
  // A group may have been deleted since it was ticked; the server would refuse its number.
  const existing = audiences.data?.items.filter(({ id }) => draft.audienceIds.includes(id)).map(({ id }) => id) ?? [];
  const ready = enabled && (draft.everybody || (audiences.isSuccess && existing.length > 0));
  const candidates = useQuery({ ...candidatesQuery(draft.everybody, existing), enabled: ready });
  const nobody = enabled && !draft.everybody && audiences.isSuccess && existing.length === 0;

  const all = useMemo(() => {
    if (nobody) return [];
    return candidates.data && members.data ? recipientsOf(candidates.data.items, members.data.items) : null;
  }, [nobody, candidates.data, members.data]);
  const ticked = useMemo(() => chosen(all ?? [], new Set(draft.excluded)), [all, draft.excluded]);
  const queries = [audiences, members, candidates];
  return {
    all,
    chosen: ticked,
    error: queries.find((query) => query.isError)?.error ?? null,
    refetch: () => {
      for (const query of [members, candidates]) void query.refetch();
      if (!draft.everybody) void audiences.refetch();
    },
  };
}
