import { Button } from "@mantine/core";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { Badge } from "../booking/Badge";
import booking from "../booking/Booking.module.css";
import { Refusal } from "../members/Refusal";
import { Light } from "../shops/Light";
import { systemName } from "../shops/systems";
import classes from "./Connections.module.css";
import { checkNow, type CheckOutcome, type Results } from "./queries";
import { HEALTH, inOrder, resultText } from "./words";

export function CheckNow() {
  const client = useQueryClient();
  const checking = useMutation({
    mutationFn: checkNow,
    onSettled: () => client.invalidateQueries({ queryKey: ["shops"] }),
  });
  return (
    <section className={booking.card} aria-labelledby="check-now">
      <div className={booking.cardHead}>
        <h2 id="check-now">いま確かめる</h2>
        <Button size="md" loading={checking.isPending} onClick={() => checking.mutate()}>
          すべて確かめる
        </Button>
      </div>
      <p className={classes.lead}>それぞれに1回だけ問い合わせます。STORES予約は、代表の1店舗だけです。だれにも、何も送られません。</p>
      <div role="status">
        {checking.isPending && <p className={classes.lead}>問い合わせています。返事のないサービスがあると、10秒ほどかかります。</p>}
        {checking.data && !checking.isPending && <Outcome outcome={checking.data} />}
      </div>
      {checking.isError && <Refusal title="確かめられませんでした" error={checking.error} />}
    </section>
  );
}

function Outcome({ outcome }: { outcome: CheckOutcome }) {
  const { name, tone } = HEALTH[outcome.code];
  return (
    <>
      <p className={classes.outcome}>
        <Badge tone={tone}>{name}</Badge>
        <Link to="/connections/calls" search={{ request: outcome.request_id }}>
          この確認の呼び出しを見る
        </Link>
      </p>
      <ResultList results={outcome.results} />
    </>
  );
}

export function ResultList({ results }: { results: Results }) {
  return (
    <ul className={classes.systems}>
      {inOrder(results).map(([system, result]) => (
        <li key={system}>
          <span className={classes.result}>
            <strong>{systemName(system)}</strong>
            <Light light={result.status} />
          </span>
          <small className={classes.why}>{resultText(result)}</small>
        </li>
      ))}
    </ul>
  );
}
