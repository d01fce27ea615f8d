import { Switch } from "@mantine/core";
import classes from "./How.module.css";

export interface OptionFields {
  decideAtDeadline: boolean;
  remind: boolean;
  maybe: boolean;
  visible: boolean;
}

interface SwitchesProps {
  options: OptionFields;
  change: (fields: Partial<OptionFields>) => void;
  /** False: the form asks elsewhere when it is decided. */
  decides?: boolean;
}

/** The rest that can be said about a thread: the same when it is made and when it is changed. */
export function Switches({ options, change, decides = true }: SwitchesProps) {
  return (
    <div className={classes.switches}>
      {decides && (
        <Switch
          label="期限になるまで決めない"
          description="途中で条件が揃っても待ち、回答期限に決めます。より早い日に○が集まることがあります。"
          checked={options.decideAtDeadline}
          onChange={(event) => change({ decideAtDeadline: event.currentTarget.checked })}
        />
      )}
      <Switch
        label="期限の前日に、自動で督促する"
        description="お一人ごとの期限の24時間前に、まだ答えていない方のうち、結果を左右できる方だけに送ります。"
        checked={options.remind}
        onChange={(event) => change({ remind: event.currentTarget.checked })}
      />
      <Switch
        label="△（調整すれば行ける）で答えられる"
        description="○だけで決まらないときに、△も数えます。"
        checked={options.maybe}
        onChange={(event) => change({ maybe: event.currentTarget.checked })}
      />
      <Switch
        label="ほかの方の回答を見せる"
        description="声をかけた方どうしで、だれがどの日に○を付けたかが見えます。"
        checked={options.visible}
        onChange={(event) => change({ visible: event.currentTarget.checked })}
      />
    </div>
  );
}
