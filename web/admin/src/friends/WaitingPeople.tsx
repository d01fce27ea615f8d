import { Button } from "@mantine/core";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import type { Answer } from "../../../api/shapes";
import { answerOf, api } from "../api/client";
import { ConfirmDialog } from "../booking/ConfirmDialog";
import { Moment } from "../frame/Moment";
import shared from "../frame/Table.module.css";
import { linksChanged } from "../members/queries";
import { Refusal } from "../members/Refusal";
import { type Friend, NAMELESS } from "./friend";
import classes from "./FriendsTable.module.css";
import { Portrait } from "./Portrait";

type Person = Answer<"/api/admin/links/waiting">["items"][number];
type Suggestion = Person["suggestions"][number];

const REASON = "本人が入力した名前を事務局が確認";

interface WaitingPeopleProps {
  people: Person[];
  choose: (friend: Friend, memberId: number | null) => void;
  done: (message: string) => void;
}

/** Who typed a name inside LINE that linked nobody, and asked the office. One click confirms the same name; another one is asked about. */
export function WaitingPeople({ people, choose, done }: WaitingPeopleProps) {
  const client = useQueryClient();
  const [refusing, setRefusing] = useState<Person | null>(null);
  const confirming = useMutation({
    mutationFn: ({ person, member }: { person: Person; member: Suggestion }) =>
      answerOf(api.POST("/api/admin/links", { body: { user_id: person.user_id, member_id: member.member_id, reason: REASON } })),
    onSuccess: (_, { person, member }) => done(`${member.name}さんと、LINEの「${person.display_name ?? NAMELESS}」を連携しました。これから案内が届きます。`),
    onSettled: () => linksChanged(client),
  });
  return (
    <section aria-labelledby="waiting-people" className={classes.waiting}>
      <h2 id="waiting-people">登録の確認を待っている方</h2>
      <p className={classes.explain}>LINEの中で名前を入力した方です。本人だとわかったら、名簿の名前を押してください。「同じ名前」は、すぐに連携します。</p>
      {confirming.isError && <Refusal title="連携できませんでした" error={confirming.error} />}
      <div className={shared.panel}>
        <table className={shared.table}>
          <caption className={classes.caption}>登録の確認を待っている方</caption>
          <thead>
            <tr>
              <th scope="col">入力した名前</th>
              <th scope="col">入力した日時</th>
              <th scope="col">名簿の会員</th>
              <th scope="col">
                <span className={classes.caption}>操作</span>
              </th>
            </tr>
          </thead>
          <tbody>
            {people.map((person) => (
              <tr key={person.user_id}>
                <td>
                  <div className={classes.person}>
                    <Portrait friend={friendOf(person)} />
                    <span>
                      <strong>{person.full_name}</strong>
                      <small className={classes.onLine}>LINEの名前：{person.display_name ?? NAMELESS}</small>
                    </span>
                  </div>
                </td>
                <td data-label="入力した日時">
                  <Moment at={person.requested_at} />
                </td>
                <td data-label="名簿の会員" className={classes.alikes}>
                  {person.suggestions.length === 0 && <span className={classes.nameless}>似た名前はありません</span>}
                  {person.suggestions.filter(({ linked }) => linked).map((member) => (
                    <span key={member.member_id} className={classes.linked}>
                      {member.name}
                      <small>別のLINEと連携済み。本人なら、会員名簿で今の連携を解除してください</small>
                    </span>
                  ))}
                  {person.suggestions.filter(({ linked }) => !linked).map((member) => (
                    <button
                      key={member.member_id}
                      type="button"
                      className={classes.alike}
                      disabled={confirming.isPending}
                      onClick={() => (member.exact ? confirming.mutate({ person, member }) : choose(friendOf(person), member.member_id))}
                    >
                      <span className={classes.caption}>{person.full_name}と入力した方を、</span>
                      {member.name}
                      <small>{member.exact ? "同じ名前" : "似た名前"}</small>
                      <span className={classes.caption}>の会員と連携</span>
                    </button>
                  ))}
                </td>
                <td className={classes.action}>
                  <Button variant="default" size="sm" aria-label={`${person.full_name}と入力した方と連携する会員を選ぶ`} onClick={() => choose(friendOf(person), null)}>
                    会員を選ぶ
                  </Button>
                  <Button variant="subtle" size="sm" color="var(--red)" aria-label={`${person.full_name}と入力した方を断る`} onClick={() => setRefusing(person)}>
                    断る
                  </Button>
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      <ConfirmDialog
        opened={refusing !== null}
        close={() => setRefusing(null)}
        title="登録を断る"
        action="断る"
        danger
        changed={linksChanged}
        run={() => answerOf(api.DELETE("/api/admin/links/waiting/{user_id}", { params: { path: { user_id: refusing?.user_id ?? "" } } }))}
      >
        <p>「{refusing?.full_name}」と入力した方の画面は、名前の入力に戻ります。もう一度入力できます。</p>
      </ConfirmDialog>
    </section>
  );
}

/** The dialog that looks for a member knows friends. */
function friendOf(person: Person): Friend {
  const { user_id, display_name, picture_url, suggestions, requested_at, full_name } = person;
  return { user_id, display_name, picture_url, suggestions, typed_name: full_name, typed_at: requested_at, following: true, first_contact_at: requested_at, last_contact_at: requested_at };
}
