"""The accounts of administrators, the log-in with a second factor, and registrations that wait for the office."""

from typing import Any

from playwright.sync_api import Page

from tools.screenshots.admin_scenes import log_in_page
from tools.screenshots.scene import (
    STRANGER,
    Scene,
    Step,
    World,
    admin,
    alert,
    breaks,
    holds,
    member,
    pause,
    press,
    says,
    see,
)

_SESSIONS: list[dict[str, Any]] = [
    {
        "id": f"{number}" * 64,
        "kind": kind,
        "label": label,
        "created_at": "2026-11-16T09:12:00+09:00",
        "last_used_at": used,
        "expires_at": "2026-11-18T09:12:00+09:00",
        "address": address,
        "device": device,
        "current": False,
    }
    for number, kind, label, used, address, device in (
        (1, "browser", None, "2026-11-17T18:40:00+09:00", "203.0.113.7", "WindowsのChrome"),
        (2, "browser", None, "2026-11-16T21:03:00+09:00", "2001:db8:1234:5678:9abc:def0:1234:5678", "iPhoneのSafari"),
        (3, "token", "会計ソフトとの連携（毎晩）", None, None, None),
    )
]


def _account(number: int, username: str, **more: Any) -> dict[str, Any]:
    return {
        "id": number,
        "username": username,
        "is_self": number == 1,
        "created_at": "2026-04-01T10:00:00+09:00",
        "disabled_at": None,
        "one_time_until": None,
        "has_totp": False,
        "last_used_at": "2026-11-17T18:40:00+09:00",
        "sessions": [],
        **more,
    }


_ACCOUNTS = says(
    "admin/accounts",
    {
        "items": [
            _account(1, "jimukyoku", has_totp=True, sessions=[{**_SESSIONS[0], "current": True}]),
            _account(2, "tanaka", has_totp=True, sessions=_SESSIONS),
            _account(
                3, "iincho-kouhou-toshokan-suishin", one_time_until="2099-11-20T10:00:00+09:00", last_used_at=None
            ),
            _account(4, "zennin", one_time_until="2026-10-01T10:00:00+09:00", last_used_at=None),
            _account(5, "suzuki", disabled_at="2026-09-30T17:00:00+09:00", last_used_at=None),
        ]
    },
)
_OWN = {
    "id": 1,
    "username": "jimukyoku",
    "next_step": None,
    "totp_since": None,
    "totp_required": False,
    "recovery_codes_left": 0,
    "sessions": [{**_SESSIONS[0], "current": True}, *_SESSIONS[1:]],
}
_WITH_TOTP = {**_OWN, "totp_since": "2026-10-02T11:20:00+09:00", "recovery_codes_left": 2}
_ONE_TIME = {"id": 2, "username": "tanaka", "password": "k7mp-x2qr-9hvw-t4nz", "until": "2026-11-21T10:00:00+09:00"}
_CODES = {"codes": [f"k7m{letter}-x2qr-9hvw-t4nz" for letter in "abcdefghjk"]}
_WAITING = {
    "items": [
        {
            "user_id": "U" + "1" * 32,
            "full_name": "山田　太郎",
            "display_name": "たろちゃん🎣",
            "picture_url": None,
            "requested_at": "2026-11-17T20:15:00+09:00",
            "suggestions": [
                {"member_id": 101, "name": "山田 太郎", "exact": True},
                {"member_id": 102, "name": "山口 太郎", "exact": False},
            ],
        },
        {
            "user_id": "U" + "2" * 32,
            "full_name": "だれでもない",
            "display_name": None,
            "picture_url": None,
            "requested_at": "2026-11-18T08:02:00+09:00",
            "suggestions": [],
        },
    ]
}


def prove(page: Page) -> None:
    dialog = page.get_by_role("dialog")
    dialog.get_by_label("現在のパスワード", exact=True).fill("tsudoi-demo-2025")
    dialog.get_by_role("button").last.click()


def log_in_with_code(answer: dict[str, Any]) -> Scene:
    def show(page: Page, world: World) -> None:
        refusals = [{"code": "TOTP_REQUIRED", "message": "認証コードを入れてください。", "details": []}, answer]
        page.route("**/api/admin/login", lambda route: route.fulfill(status=401, json=refusals.pop(0)))
        log_in_page(page, world)
        page.get_by_label("ユーザー名").fill("jimukyoku")
        page.get_by_label("パスワード", exact=True).fill("secret")
        page.keyboard.press("Enter")
        page.get_by_label("認証コード").fill("123456")
        if answer:
            page.keyboard.press("Enter")
            alert(page)

    return Scene("admin-login-code-wrong" if answer else "admin-login-code", show)


def has_to(step: str) -> tuple[Step, ...]:
    me = {"username": "jimukyoku", "csrf_token": "t", "next_step": step}
    return says("admin/me", me), says("admin/account", {**_OWN, "next_step": step, "totp_required": step == "totp"})


def type_a_name(page: Page) -> None:
    page.get_by_label("お名前").fill("鈴木 一郎")
    press("登録する")(page)
    see("確認しています")(page)


_WRONG = {"code": "TOTP_WRONG", "message": "認証コードが違うか、すでに使われています。", "details": []}
_OWN_ACCOUNT = says("admin/account", _OWN)

ACCOUNT_SCENES = (
    log_in_with_code({}),
    log_in_with_code(_WRONG),
    admin("admins", "admins", given=(_ACCOUNTS,)),
    admin("admins-loading", "admins", pause(1200), given=(holds("admin/accounts"),), loading=True),
    admin("admins-failed", "admins", alert, given=(breaks("admin/accounts"),)),
    admin("admins-one", "admins", press("tanakaの詳細"), pause(600), given=(_ACCOUNTS,), whole=False),
    admin(
        "admins-disable",
        "admins",
        press("tanakaの詳細"),
        press("^無効にする$"),
        pause(600),
        given=(_ACCOUNTS,),
        whole=False,
    ),
    admin("admins-new", "admins", press("管理者を登録する"), pause(600), given=(_ACCOUNTS,), whole=False),
    admin(
        "admins-one-time",
        "admins",
        press("tanakaの詳細"),
        press("再発行する"),
        press("^再発行する$"),
        see("二度と表示されません"),
        pause(400),
        given=(_ACCOUNTS, says("admin/accounts/*/password-reset", _ONE_TIME)),
        whole=False,
    ),
    admin("account", "account", given=(_OWN_ACCOUNT,)),
    admin("account-totp", "account", given=(says("admin/account", _WITH_TOTP),)),
    admin("account-loading", "account", pause(1200), given=(holds("admin/account"),), loading=True),
    admin("account-failed", "account", alert, given=(breaks("admin/account"),)),
    admin("account-wrong", "account", press("パスワードを変更する"), given=(_OWN_ACCOUNT,)),
    admin("account-must-change", "account", given=has_to("password")),
    admin("account-must-set-up", "account", given=has_to("totp")),
    admin(
        "account-qr",
        "account",
        press("二段階認証を設定する"),
        prove,
        see("QRコード"),
        pause(600),
        given=(_OWN_ACCOUNT,),
        whole=False,
    ),
    admin(
        "account-codes",
        "account",
        press("回復コードを作り直す"),
        prove,
        see("二度と表示されません"),
        pause(600),
        given=(says("admin/account", _WITH_TOTP), says("admin/account/recovery-codes", _CODES)),
        whole=False,
    ),
    admin("friends-waiting", "friends", see("登録の確認"), given=(says("admin/links/waiting", _WAITING),)),
    member(
        "register-waiting",
        STRANGER,
        "register",
        type_a_name,
        given=(says("liff/register", {"ok": False, "waiting": True}, 202),),
    ),
)
