from typing import Any

import httpx2
import pytest

from tests.sandbox.pictures import jpeg, png

AREA = {
    "bounds": {"x": 0, "y": 0, "width": 1250, "height": 843},
    "action": {"type": "uri", "label": "出欠", "uri": "https://liff.line.me/1234567890-AbcdEfgh/events"},
}
MENU = {
    "size": {"width": 2500, "height": 843},
    "selected": True,
    "name": "基本メニュー",
    "chatBarText": "メニュー",
    "areas": [AREA],
}
MENUS = "/v2/bot/richmenu"
EVERYBODY = "/v2/bot/user/all/richmenu"


@pytest.fixture
def menu_id(line: httpx2.Client) -> str:
    return str(line.post(MENUS, json=MENU).json()["richMenuId"])


def upload(line: httpx2.Client, menu_id: str, image: bytes, content_type: str = "image/png") -> httpx2.Response:
    return line.post(f"{MENUS}/{menu_id}/content", content=image, headers={"content-type": content_type})


class TestCreate:
    def test_it_can_be_read_listed_and_deleted(self, line: httpx2.Client, menu_id: str) -> None:
        assert menu_id.startswith("richmenu-")
        assert line.get(f"{MENUS}/{menu_id}").json() == {"richMenuId": menu_id, **MENU}
        assert line.get(f"{MENUS}/list").json() == {"richmenus": [{"richMenuId": menu_id, **MENU}]}
        assert line.delete(f"{MENUS}/{menu_id}").json() == {}
        assert line.get(f"{MENUS}/list").json() == {"richmenus": []}
        for method in ("GET", "DELETE"):
            answer = line.request(method, f"{MENUS}/{menu_id}")
            assert (answer.status_code, answer.json()) == (404, {"message": "richmenu not found"})

    @pytest.mark.parametrize(
        ("change", "where"),
        [
            ({"name": "x" * 301}, "name"),
            ({"name": ""}, "name"),
            ({"chatBarText": "あ" * 15}, "chatBarText"),
            ({"selected": "yes"}, "selected"),
            ({"areas": [AREA] * 21}, "areas"),
            ({"areas": None}, "areas"),
            ({"size": {"width": 799, "height": 250}}, "size.width"),
            ({"size": {"width": 2501, "height": 843}}, "size.width"),
            ({"size": {"width": 800, "height": 249}}, "size.height"),
            ({"size": {"width": 800, "height": 300.5}}, "size.height"),
            ({"size": {"width": 1000, "height": 700}}, "size"),
            ({"areas": [{**AREA, "bounds": {"x": -1, "y": 0, "width": 1, "height": 1}}]}, "areas[0].bounds.x"),
            ({"areas": [{**AREA, "bounds": {"x": 0, "y": 0, "width": 0, "height": 1}}]}, "areas[0].bounds.width"),
            ({"areas": [{**AREA, "action": {"type": "uri"}}]}, "areas[0].action.uri"),
            ({"areas": [{"action": AREA["action"]}]}, "areas[0].bounds"),
        ],
    )
    def test_what_does_not_fit_is_refused(self, line: httpx2.Client, change: dict[str, Any], where: str) -> None:
        for path in (MENUS, f"{MENUS}/validate"):
            answer = line.post(path, json={**MENU, **change})
            assert answer.status_code == 400
            assert [detail["property"] for detail in answer.json()["details"]] == [where]
        assert line.get(f"{MENUS}/list").json() == {"richmenus": []}

    def test_the_limits_themselves_are_allowed(self, line: httpx2.Client) -> None:
        menu = {**MENU, "name": "x" * 300, "chatBarText": "あ" * 14, "areas": [AREA] * 20}
        assert line.post(MENUS, json=menu).status_code == 200
        assert line.post(f"{MENUS}/validate", json={**MENU, "size": {"width": 800, "height": 250}}).json() == {}


class TestImage:
    @pytest.mark.parametrize("image", [png(2500, 843), png(800, 250), jpeg(2500, 1686), jpeg(800, 540)])
    def test_a_good_one_comes_back_as_it_went(self, line: httpx2.Client, menu_id: str, image: bytes) -> None:
        assert upload(line, menu_id, image).json() == {}
        answer = line.get(f"{MENUS}/{menu_id}/content")
        assert answer.content == image
        assert answer.headers["content-type"] == ("image/png" if image.startswith(b"\x89PNG") else "image/jpeg")

    @pytest.mark.parametrize(
        "image",
        [
            b"",
            b"GIF89a" + bytes(100),
            b"<svg/>",
            png(2500, 843)[:20],
            jpeg(2500, 843)[:12],
            png(799, 250),
            png(2501, 843),
            png(800, 249),
            jpeg(1000, 700),
            png(2500, 843, padding=1024 * 1024),
        ],
        ids=["empty", "gif", "svg", "cut png", "cut jpeg", "narrow", "wide", "low", "square", "heavy"],
    )
    def test_a_bad_one_is_refused_whatever_it_calls_itself(
        self, line: httpx2.Client, menu_id: str, image: bytes
    ) -> None:
        assert upload(line, menu_id, image).status_code == 400
        assert line.get(f"{MENUS}/{menu_id}/content").status_code == 404

    def test_only_once(self, line: httpx2.Client, menu_id: str) -> None:
        upload(line, menu_id, png(2500, 843)).raise_for_status()
        answer = upload(line, menu_id, jpeg(2500, 843), "image/jpeg")
        assert answer.status_code == 400
        assert answer.json() == {"message": "An image has already been uploaded to the richmenu"}

    def test_another_content_type_is_not_supported(self, line: httpx2.Client, menu_id: str) -> None:
        assert upload(line, menu_id, png(2500, 843), "image/webp").status_code == 415

    def test_for_a_menu_that_is_not_there(self, line: httpx2.Client) -> None:
        assert upload(line, "richmenu-0", png(2500, 843)).status_code == 404


class TestDefault:
    def test_without_an_image_it_cannot_be_shown(self, line: httpx2.Client, menu_id: str) -> None:
        assert line.post(f"{EVERYBODY}/{menu_id}").status_code == 400
        assert line.get(EVERYBODY).status_code == 404

    def test_everybody_sees_it_until_it_is_cancelled(
        self, line: httpx2.Client, control: httpx2.Client, menu_id: str
    ) -> None:
        upload(line, menu_id, png(2500, 843))
        assert control.get("/_sandbox/rich_menu").json() == {"rich_menu": None}
        assert line.post(f"{EVERYBODY}/{menu_id}").json() == {}
        assert line.get(EVERYBODY).json() == {"richMenuId": menu_id}
        shown = control.get("/_sandbox/rich_menu").json()["rich_menu"]
        assert shown == {"richMenuId": menu_id, **MENU, "image_url": f"/_sandbox/rich_menu/{menu_id}/image"}
        assert control.get(shown["image_url"]).content == png(2500, 843)
        assert line.delete(EVERYBODY).json() == {}
        assert (line.get(EVERYBODY).status_code, line.get(EVERYBODY).json()) == (
            404,
            {"message": "no default richmenu"},
        )

    def test_deleting_it_takes_it_off_the_phones(
        self, line: httpx2.Client, control: httpx2.Client, menu_id: str
    ) -> None:
        upload(line, menu_id, png(2500, 843))
        line.post(f"{EVERYBODY}/{menu_id}").raise_for_status()
        line.delete(f"{MENUS}/{menu_id}").raise_for_status()
        assert control.get("/_sandbox/rich_menu").json() == {"rich_menu": None}

    def test_an_unknown_one(self, line: httpx2.Client) -> None:
        assert line.post(f"{EVERYBODY}/richmenu-0").status_code == 404
