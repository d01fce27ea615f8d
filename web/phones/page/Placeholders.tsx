import { reload } from "../state/loading";
import { useSingleFlight } from "../state/single-flight";
import { update } from "../state/store";
import { DrawnFace } from "./Face";
import { Icon } from "./Icon";
import { Mark } from "./Mark";

/** Empty devices where the phones will be, of the same size, so that nothing jumps when they arrive. */
export function LoadingStage() {
  return (
    <main class="stage" aria-busy="true">
      <p class="for-ears">読み込んでいます</p>
      <div class="phones">
        {[0, 1, 2].map((n) => (
          <div key={n} class="phone waiting" aria-hidden="true">
            <div class="name-plate" />
            <div class="device">
              <div class="screen" />
            </div>
          </div>
        ))}
      </div>
    </main>
  );
}

export function FailedPage() {
  const [busy, run] = useSingleFlight();
  const retry = () =>
    run(async () => {
      await reload();
      update({ announcement: "" });
    });
  return (
    <main class="card-page">
      <Mark size={64} />
      <h1>練習場につながりません</h1>
      <p>
        練習場のサーバーが動いていないようです。前と同じコマンド（<code>make run</code> など）で起動してから、
        もう一度お試しください。
      </p>
      <button type="button" class="button main" disabled={busy} onClick={retry}>
        <Icon name="reload" />
        {busy ? "つないでいます…" : "もう一度つなぐ"}
      </button>
    </main>
  );
}

export function NobodyYet({ onAdd }: { onAdd: () => void }) {
  return (
    <main class="stage">
      <div class="card-page">
        <div class="faces">
          {["waiting-a", "waiting-b", "waiting-c"].map((userId) => (
            <DrawnFace key={userId} userId={userId} size={64} asleep />
          ))}
        </div>
        <h2>まだ誰もいません</h2>
        <p>
          LINE を使う人をひとり増やすと、その人の電話がここに現れます。友だち追加、メッセージ、会員ページを自由に試せます。
        </p>
        <button type="button" class="button main" onClick={onAdd}>
          <Icon name="plus" />
          最初のひとりを迎える
        </button>
      </div>
    </main>
  );
}

export function NoPhoneOut({ onPeople }: { onPeople: () => void }) {
  return (
    <main class="stage">
      <div class="card-page">
        <Mark size={64} />
        <h2>電話はすべて片づいています</h2>
        <p>友だち一覧から、机に出したい電話を選んでください。</p>
        <button type="button" class="button main" onClick={onPeople}>
          <Icon name="people" />
          友だち一覧を開く
        </button>
      </div>
    </main>
  );
}
