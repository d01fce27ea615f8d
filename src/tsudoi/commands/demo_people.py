"""Creates the people of the demo if they are missing: roster, LINE friends, groups."""

import httpx2
from rich.console import Console

from tsudoi.commands.data import database_of
from tsudoi.commands.demo_data import FRIENDS, GROUPS, SHEET_ID, roster
from tsudoi.commands.members import SyncArguments, run_sync
from tsudoi.core.settings import Settings
from tsudoi.roster.syncs.queries import is_empty


def make_roster(settings: Settings, sandbox_url: str) -> None:
    """Create the sheet and sync the roster once; later changes of the office are kept."""
    with httpx2.Client(base_url=sandbox_url, timeout=10, trust_env=False) as box:
        sheet = f"/_sandbox/sheets/{SHEET_ID}/Members"
        if not box.get(sheet).is_success:
            box.put(sheet, json={"rows": roster()}).raise_for_status()
        key = box.get("/_sandbox/sheets/service-account.json").content
    if settings.google_service_account_file is not None:
        settings.google_service_account_file.write_bytes(key)
    with database_of(settings) as db:
        fresh = db.read_now(is_empty)
    if fresh:
        run_sync(SyncArguments(), Console(quiet=True))


def make_friends(sandbox_url: str) -> None:
    """Create the missing friends. A friend who has blocked the account does not follow again."""
    with httpx2.Client(base_url=sandbox_url, timeout=10, trust_env=False) as box:
        known = {person["user_id"]: person for person in box.get("/_sandbox/users").raise_for_status().json()["users"]}
        for friend in FRIENDS:
            found = known.get(friend.user_id)
            if found is None:
                box.post("/_sandbox/users", json={"user_id": friend.user_id, "display_name": friend.name})
            if friend.follows and (found is None or not (found["following"] or found["blocked"])):
                box.post(f"/_sandbox/users/{friend.user_id}/follow")


def make_groups(office: httpx2.Client) -> None:
    if office.get("/api/admin/audiences").raise_for_status().json()["items"]:
        return
    everybody = {"all": 1, "require_target": 0, "require_line": 0}
    members = office.get("/api/admin/recipients/candidates", params=everybody).raise_for_status().json()["items"]
    number_of = {member["name"]: member["member_id"] for member in members}
    for place, (name, names) in enumerate(GROUPS.items(), 1):
        made = office.post("/api/admin/audiences", json={"name": name, "sort_order": place}).raise_for_status()
        body = {"member_ids": [number_of[each] for each in names if each in number_of]}
        office.put(f"/api/admin/audiences/{made.json()['id']}/members", json=body).raise_for_status()
