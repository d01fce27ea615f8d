from playwright.sync_api import Page

from tools.screenshots.scene import World, pause, phones, press

_CROWD = 300


def turn_on(page: Page) -> None:
    press("こまった状況")(page)
    for name in ("ネットワークが遅い", "混雑している", "今月の上限に達した"):
        page.get_by_role("switch", name=name).click()
        page.get_by_role("switch", name=name, checked=True).wait_for()


def bring_a_crowd(world: World) -> None:
    if len(world.box.get("/_sandbox/users").json()["users"]) < _CROWD:
        world.box.post("/_sandbox/users/crowd", json={"count": _CROWD, "prefix": "会員"}).raise_for_status()


PHONES_SCENES = (
    phones("phones"),
    phones("phones-member-page", press("会員ページを開く"), pause(1500)),
    phones("phones-answers", press("みんなで回答"), pause(600)),
    phones("phones-faults", turn_on, pause(600)),
    phones("phones-faults-closed", turn_on, lambda page: page.keyboard.press("Escape"), pause(600)),
    phones("phones-calls", press("通信の記録"), pause(800)),
    phones("phones-calls-failed", press("通信の記録"), press("失敗だけ"), pause(600)),
    phones("phones-people", press("友だち一覧"), pause(800), before=bring_a_crowd),
)
