import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { answerOf, api } from "../api/client";
import { moved, type Place, placesFor } from "./order";
import { type Audience, audiencesChanged, audiencesQuery } from "./queries";

const KEY = ["audience-order"];

async function save(places: Place[]): Promise<void> {
  for (const { id, sort_order } of places) {
    await answerOf(api.PATCH("/api/admin/audiences/{audience_id}", { params: { path: { audience_id: id } }, body: { sort_order } }));
  }
}

/** The list shows the new order at once. Moves are saved one after the other, in the order they were made. */
export function useOrder(list: readonly Audience[]) {
  const client = useQueryClient();
  const [said, setSaid] = useState("");
  const saving = useMutation({
    mutationKey: KEY,
    scope: { id: "audience-order" },
    mutationFn: save,
    // While another move is still on its way, an answer of the server would jump back to the order before it.
    onSettled: () => (client.isMutating({ mutationKey: KEY }) === 1 ? audiencesChanged(client) : undefined),
  });
  function move(id: number, to: number): void {
    const sorted = moved(list, id, to);
    const places = placesFor(sorted, id);
    const placed = new Map(places.map((place) => [place.id, place.sort_order]));
    void client.cancelQueries({ queryKey: audiencesQuery.queryKey });
    client.setQueryData(
      audiencesQuery.queryKey,
      sorted.map((one) => ({ ...one, sort_order: placed.get(one.id) ?? one.sort_order })),
    );
    setSaid(`「${sorted[to]?.name ?? ""}」を、${list.length}件中の${to + 1}番目にしました。`);
    saving.mutate(places);
  }
  return { move, said, error: saving.error };
}
