import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useCallback, useDeferredValue, useMemo, useState } from "react";
import { Refusal } from "../members/Refusal";
import type { Member } from "../members/queries";
import { isGone } from "./name-errors";
import { LeaveDialog } from "./LeaveDialog";
import { MemberTicks } from "./MemberTicks";
import { candidatesOf, changesOf, inShort, isChanged, shownOf, ticking } from "./membership";
import { type Audience, audiencesChanged, membershipQuery, saveMembers } from "./queries";
import { SaveBar } from "./SaveBar";
import { TicksToolbar } from "./TicksToolbar";

interface MembershipEditorProps {
  audience: Audience;
  members: Member[];
  initial: number[];
  /** Somebody else has deleted the group while it was edited. */
  gone: () => void;
}

export function MembershipEditor({ audience: { id }, members, initial, gone }: MembershipEditorProps) {
  const client = useQueryClient();
  const [before, setBefore] = useState<ReadonlySet<number>>(() => new Set(initial));
  const [ticked, setTicked] = useState<ReadonlySet<number>>(before);
  const [searchText, setSearchText] = useState("");
  const [only, setOnly] = useState<ReadonlySet<number> | null>(null);
  // The letters stand there at once; a thousand rows follow when the browser has a moment.
  const wanted = useDeferredValue(searchText);
  const candidates = useMemo(() => candidatesOf(members, before), [members, before]);
  const shown = useMemo(() => shownOf(candidates, wanted, only), [candidates, wanted, only]);
  const changes = useMemo(() => changesOf(before, ticked), [before, ticked]);
  const tick = useCallback((ids: readonly number[], on: boolean) => setTicked((now) => ticking(now, ids, on)), []);

  const saving = useMutation({
    mutationFn: async () => {
      const now = new Set(await saveMembers(id, changes));
      return { changes, theirs: changesOf(ticked, now), now };
    },
    onSuccess: ({ now }) => {
      client.setQueryData(membershipQuery(id).queryKey, [...now]);
      setBefore(now);
      setTicked(now);
      void audiencesChanged(client);
    },
    onError: (error) => {
      if (!isGone(error)) return;
      gone();
      void audiencesChanged(client);
    },
  });
  return (
    <>
      <TicksToolbar
        searchText={searchText}
        setSearchText={setSearchText}
        only={only !== null}
        setOnly={(on) => setOnly(on ? new Set(ticked) : null)}
        shown={shown}
        tick={tick}
        ticked={ticked.size}
        total={candidates.length}
      />
      <MemberTicks candidates={shown} ticked={ticked} before={before} tick={tick} clear={() => (setSearchText(""), setOnly(null))} />
      {saving.isError && <Refusal title="保存できませんでした。チェックはこの画面に残っています" error={saving.error} />}
      <SaveBar
        changes={changes}
        saved={saving.isSuccess && !isChanged(changes) ? { ...saving.data.changes, theirs: saving.data.theirs, count: before.size } : null}
        busy={saving.isPending}
        save={() => saving.mutate()}
        undo={() => setTicked(before)}
      />
      <LeaveDialog unsaved={isChanged(changes)}>
        変更（<span className="figures">{inShort(changes)}</span>）
      </LeaveDialog>
    </>
  );
}
