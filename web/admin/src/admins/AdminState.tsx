import type { ManagedAccount } from "../account/queries";
import { Badge } from "../booking/Badge";

export function AdminState({ admin }: { admin: ManagedAccount }) {
  if (admin.disabled_at !== null) return <Badge tone="bad">無効</Badge>;
  if (admin.one_time_until === null) return <Badge tone="good">有効</Badge>;
  return Date.parse(admin.one_time_until) < Date.now() ? <Badge tone="bad">期限切れ</Badge> : <Badge tone="warn">初期パスワード</Badge>;
}
