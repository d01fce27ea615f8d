import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { anyEventQuery } from "../events-list/queries";
import { SuccessIcon } from "../frame/icons";
import classes from "./HomePage.module.css";
import { HAS_EVENTS, type Home } from "./queries";

export interface Step {
  done: boolean;
  title: string;
  text: ReactNode;
}

/** What a new installation needs, in order; null once everything has been done once, undefined while that is not known. */
export function useFirstSteps(home: Home | undefined): Step[] | null | undefined {
  const eventless = HAS_EVENTS && home?.next_events.length === 0;
  const { data: any, isLoading } = useQuery({ ...anyEventQuery, enabled: eventless });
  if (!home || isLoading) return undefined;
  const steps = [
    {
      done: home.members > 0,
      title: "名簿を同期する",
      text: (
        <>
          名簿のシートを用意して、システムの担当者に同期を依頼します。<Link to="/members">同期のしかたを見る</Link>
        </>
      ),
    },
    {
      done: home.linked_members > 0,
      title: "会員の方に、友だち追加をお願いする",
      text: "公式アカウントのQRコードやリンクをお知らせください。LINEの名前が名簿と同じ方は、自動で連携します（事務局が確認する設定のときを除きます）。",
    },
    {
      done: !eventless || any !== false,
      title: "最初のイベントを送る",
      text: (
        <>
          理事会や委員会だけに送るときは、先に<Link to="/audiences">グループ</Link>を作っておくと便利です。
        </>
      ),
    },
  ];
  return steps.every(({ done }) => done) ? null : steps;
}

export function FirstSteps({ steps }: { steps: Step[] }) {
  const next = steps.find(({ done }) => !done);
  return (
    <section className={classes.first} aria-labelledby="home-first">
      <h2 id="home-first">はじめに</h2>
      <ol>
        {steps.map((step, index) => (
          <li key={step.title} data-done={step.done || undefined} data-next={step === next || undefined}>
            <span className={classes.stepMark}>{step.done ? <SuccessIcon /> : index + 1}</span>
            <div>
              <strong>{step.title}</strong>
              {step.done && <small>できました</small>}
              {!step.done && <p>{step.text}</p>}
            </div>
          </li>
        ))}
      </ol>
    </section>
  );
}
