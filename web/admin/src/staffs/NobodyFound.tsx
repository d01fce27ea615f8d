import { Button } from "@mantine/core";
import { Link } from "@tanstack/react-router";
import lists from "../frame/Lists.module.css";
import { STATE_NAMES, type StaffsSearch } from "./search";

export function NobodyFound({ search, find }: { search: StaffsSearch; find: (search: StaffsSearch) => void }) {
  if (Object.keys(search).length > 0) {
    const only = Object.keys(search).length === 1 ? search.state : undefined;
    return (
      <div className={lists.empty}>
        <h2>{only ? `「${STATE_NAMES[only]}」の職員はいません` : "条件に合う職員はいません"}</h2>
        <Button variant="default" size="md" mt="md" onClick={() => find({})}>
          条件を消す
        </Button>
      </div>
    );
  }
  return (
    <div className={lists.empty}>
      <h2>職員はまだ登録されていません</h2>
      <p>先に「部署」を登録してから、人事システムなどのCSVを取り込んでください。取り込む前に、1行ずつ結果を確かめられます。</p>
      <Button size="md" mt="lg" renderRoot={(props) => <Link to="/staffs/import" {...props} />}>
        CSVで登録する
      </Button>
    </div>
  );
}
