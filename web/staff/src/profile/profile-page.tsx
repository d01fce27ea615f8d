import type { JSX } from "preact";
import { Link } from "../../../kit/router";
import { StaffScreen } from "../frame/staff-screen";
import { SEX_NAMES } from "../parts/sex-field";
import { useSession } from "../session/session";
import { LineLink } from "./line-link";

/** Who is logged in, and what they can change. */
export function ProfilePage(): JSX.Element {
  const { profile, askForMissing, logOut } = useSession();
  const rows: [string, string | null][] = [
    ["職員番号", profile.staffId],
    ["お名前", `${profile.familyName} ${profile.givenName}`.trim()],
    ["よみ", [profile.familyNameKana, profile.givenNameKana].filter(Boolean).join(" ") || null],
    ["部署", profile.departmentName],
    ["職種", profile.jobTitle],
    ["生年月日", profile.dateOfBirth?.replaceAll("-", "/") ?? null],
    ["性別", SEX_NAMES[profile.sexCode ?? ""] ?? null],
    ["患者ID", profile.emrPatientId],
    ["メール", profile.email],
  ];
  return (
    <StaffScreen title="わたし" heading={`${profile.fullName}さん`}>
      {profile.missing.length > 0 && (
        <div class="say say-warn">
          <p>予約に必要な項目が、まだ登録されていません。</p>
          <button type="button" class="button button-small" onClick={askForMissing}>
            入力する
          </button>
        </div>
      )}
      <div class="card">
        <dl class="facts">
          {rows.map(([name, value]) => (
            <>
              <dt>{name}</dt>
              <dd>{value ?? <span class="note">未登録</span>}</dd>
            </>
          ))}
        </dl>
      </div>
      <div class="actions">
        <Link to="/profile/edit" class="button button-quiet">
          登録内容を変更する
        </Link>
        <Link to="/profile/pin" class="button button-quiet">
          暗証番号（PIN）を変更する
        </Link>
      </div>
      <LineLink />
      <div class="actions">
        <button type="button" class="button" onClick={logOut}>
          ログアウト
        </button>
      </div>
      <p class="note">共用のパソコンでは、終わったら必ずログアウトしてください。</p>
    </StaffScreen>
  );
}
