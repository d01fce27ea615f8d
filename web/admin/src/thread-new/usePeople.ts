import { useDebouncedValue } from "@mantine/hooks";
import { keepPreviousData, useQueries, useQuery } from "@tanstack/react-query";
import { useMemo } from "react";
import type { Body } from "../../../api/shapes";
import { audiencesQuery, candidatesQuery } from "../event-new/queries";
import { creationQuery } from "../threads/queries";
import { type ThreadDraft, wirePeople, wireThread } from "./draft";
import type { GroupFacts } from "./how/rule";
import { serverErrors } from "./server-errors";
import type { Errors } from "./steps-of";

const PAUSE_MS = 400;
type NewThread = Body<"/api/threads", "post">;

/** What the server says about the draft, after a moment of rest. */
export function useCreationPreview(body: NewThread, enabled: boolean) {
  const [settled] = useDebouncedValue(JSON.stringify(body), PAUSE_MS);
  const wanted = useMemo(() => JSON.parse(settled) as NewThread, [settled]);
  const query = useQuery({ ...creationQuery(wanted), enabled, placeholderData: keepPreviousData });
  return { ...query, behind: settled !== JSON.stringify(body) || query.isPlaceholderData };
}

/** Who would be asked, by which way, and of which group. The server says it, because it knows who is one person. */
export function usePeople(draft: ThreadDraft, enabled: boolean) {
  const chosen = Object.keys(wirePeople(draft)).length > 0;
  // Neither the rule nor the texts decide who is asked; without them the answer stays the same while they are typed.
  const body = wireThread({ ...draft, title: draft.title.trim() || "日程調整", description: "", slots: [], deadline: null, subject: "" }, [], new Date(), 0, false);
  const { deadline_at: _later, mail_subject: _subject, ...people } = body;
  const preview = useCreationPreview(people as NewThread, enabled && chosen);
  const groups = useGroups(draft.audienceIds, preview.data?.people.map(({ invitee_key }) => invitee_key) ?? [], enabled);
  const refused: Errors | null = preview.isError ? serverErrors(preview.error) : null;
  return { ...preview, people: chosen ? preview.data?.people : [], groups, refused };
}

/** The groups that are asked, with the keys of their people. */
function useGroups(audienceIds: readonly number[], asked: readonly string[], enabled: boolean): GroupFacts[] {
  const audiences = useQuery({ ...audiencesQuery, enabled });
  const members = useQueries({ queries: audienceIds.map((id) => ({ ...candidatesQuery(false, [id]), enabled })) });
  const known = new Set(asked);
  return audienceIds.map((id, index) => ({
    id,
    name: audiences.data?.items.find((audience) => audience.id === id)?.name ?? `グループ${id}`,
    keys: (members[index]?.data?.items ?? []).map(({ member_id }) => `lm:${member_id}`).filter((key) => known.has(key)),
  }));
}
