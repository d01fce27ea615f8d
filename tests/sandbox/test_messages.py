"""The checks on message objects. They are pure, so they are asked directly; one test shows that HTTP asks them too."""

from typing import Any

import httpx2
import pytest

from tsudoi.sandbox.messages.kinds import check_messages
from tsudoi.sandbox.messages.violations import Violations, utf16_units

IMAGE = {"type": "image", "originalContentUrl": "https://x.example/a.jpg", "previewImageUrl": "https://x.example/b.jpg"}
LINK = {"type": "uri", "label": "開く", "uri": "https://x.example/"}


def complaints_about(*messages: Any) -> dict[str, str]:
    violations = Violations()
    check_messages(list(messages), violations)
    return {complaint.property: complaint.message for complaint in violations}


def text(length: int, character: str = "あ") -> dict[str, Any]:
    return {"type": "text", "text": character * length}


def buttons(**changes: Any) -> dict[str, Any]:
    template = {"type": "buttons", "text": "出欠", "actions": [LINK], **changes}
    return {"type": "template", "altText": "出欠", "template": template}


def bubble(**changes: Any) -> dict[str, Any]:
    body = {"type": "box", "layout": "vertical", "contents": [{"type": "text", "text": "総会"}]}
    return {"type": "bubble", "body": body, **changes}


def flex(contents: Any, alt: str = "総会のお知らせ") -> dict[str, Any]:
    return {"type": "flex", "altText": alt, "contents": contents}


def heavy_bubble(kilobytes: int) -> dict[str, Any]:
    contents = [{"type": "text", "text": "x" * 1000} for _ in range(kilobytes)]
    return {"type": "bubble", "body": {"type": "box", "layout": "vertical", "contents": contents}}


class TestTheList:
    def test_one_to_five(self) -> None:
        assert complaints_about(*[text(1)] * 5) == {}
        assert complaints_about() == {"messages": "Size must be between 1 and 5"}
        assert complaints_about(*[text(1)] * 6) == {"messages": "Size must be between 1 and 5"}

    @pytest.mark.parametrize("messages", [None, {}, "text", 5])
    def test_no_list_at_all(self, messages: Any) -> None:
        violations = Violations()
        check_messages(messages, violations)
        assert [complaint.property for complaint in violations] == ["messages"]

    @pytest.mark.parametrize("entry", [None, "text", 1, []])
    def test_an_entry_that_is_no_object(self, entry: Any) -> None:
        assert list(complaints_about(text(1), entry)) == ["messages[1]"]

    @pytest.mark.parametrize("kind", [None, "", "fax", 1, ["text"]])
    def test_an_unknown_type(self, kind: Any) -> None:
        assert list(complaints_about({"type": kind, "text": "x"})) == ["messages[0].type"]


class TestText:
    def test_five_thousand_units_and_no_more(self) -> None:
        assert complaints_about(text(5000)) == {}
        assert complaints_about(text(5001)) == {"messages[0].text": "Length must be between 0 and 5000"}

    def test_an_emoji_is_two_units(self) -> None:
        assert utf16_units("🎉あ") == len("🎉あ".encode("utf-16-le")) // 2 == 3
        assert complaints_about(text(2500, "🎉")) == {}
        assert list(complaints_about(text(2501, "🎉"))) == ["messages[0].text"]

    @pytest.mark.parametrize("wrong", ["", None, 5, ["x"]])
    def test_it_must_be_there(self, wrong: Any) -> None:
        assert complaints_about({"type": "text", "text": wrong}) == {"messages[0].text": "May not be empty"}


class TestImage:
    @pytest.mark.parametrize(
        "url", ["https://x.example/a.jpg", "http://127.0.0.1:8000/a.jpg", "http://localhost/a.jpg", "http://[::1]:1/a"]
    )
    def test_https_or_plain_loopback(self, url: str) -> None:
        assert complaints_about({**IMAGE, "originalContentUrl": url}) == {}

    @pytest.mark.parametrize(
        "url",
        [
            "http://x.example/a.jpg",
            "http://127.0.0.1.x.example/a",
            "ftp://127.0.0.1/a",
            "//x/a",
            "https://",
            "http://[::1",
            "data:,",
            "https://x.example/" + "a" * 2000,
            None,
        ],
    )
    def test_nothing_else(self, url: Any) -> None:
        assert list(complaints_about({**IMAGE, "previewImageUrl": url})) == ["messages[0].previewImageUrl"]

    def test_two_thousand_characters(self) -> None:
        url = "https://x.example/".ljust(2000, "a")
        assert complaints_about({**IMAGE, "originalContentUrl": url}) == {}


class TestOtherKinds:
    @pytest.mark.parametrize(
        "message",
        [
            {"type": "sticker", "packageId": "446", "stickerId": "1988"},
            {**IMAGE, "type": "video"},
            {"type": "audio", "originalContentUrl": "https://x.example/a.m4a", "duration": 60000},
            {"type": "location", "title": "会館", "address": "東京都", "latitude": 35.6, "longitude": 139.7},
            {
                "type": "imagemap",
                "baseUrl": "https://x.example/map",
                "altText": "地図",
                "baseSize": {"width": 1040, "height": 1040},
                "actions": [{"type": "uri", "linkUri": "https://x.example/", "area": {}}],
            },
        ],
        ids=lambda message: message["type"],
    )
    def test_good_ones_pass_and_each_field_is_needed(self, message: dict[str, Any]) -> None:
        assert complaints_about(message) == {}
        for name in message.keys() - {"type"}:
            without = {key: value for key, value in message.items() if key != name}
            assert list(complaints_about(without)) == [f"messages[0].{name}"]

    def test_a_place_outside_the_globe(self) -> None:
        place = {"type": "location", "title": "月", "address": "月", "latitude": 91, "longitude": True}
        assert set(complaints_about(place)) == {"messages[0].latitude", "messages[0].longitude"}


class TestTemplate:
    def test_buttons_have_one_to_four_actions(self) -> None:
        assert complaints_about(buttons(actions=[LINK] * 4)) == {}
        for actions in ([], [LINK] * 5):
            assert list(complaints_about(buttons(actions=actions))) == ["messages[0].template.actions"]

    def test_a_title_leaves_less_room_for_text(self) -> None:
        assert complaints_about(buttons(text="x" * 160)) == {}
        assert complaints_about(buttons(text="x" * 60, title="題")) == {}
        assert list(complaints_about(buttons(text="x" * 61, title="題"))) == ["messages[0].template.text"]

    def test_a_confirm_has_exactly_two_actions(self) -> None:
        assert complaints_about(buttons(type="confirm", actions=[LINK] * 2)) == {}
        assert list(complaints_about(buttons(type="confirm"))) == ["messages[0].template.actions"]

    def test_a_carousel_has_ten_columns_at_most(self) -> None:
        column = {"text": "x", "actions": [LINK]}
        assert complaints_about(buttons(type="carousel", columns=[column] * 10)) == {}
        assert list(complaints_about(buttons(type="carousel", columns=[column] * 11))) == [
            "messages[0].template.columns"
        ]
        bad = [column, {"text": "x" * 121, "actions": [LINK] * 4}]
        assert set(complaints_about(buttons(type="carousel", columns=bad))) == {
            "messages[0].template.columns[1].text",
            "messages[0].template.columns[1].actions",
        }

    def test_an_image_carousel_needs_pictures(self) -> None:
        column = {"imageUrl": "http://x.example/a.jpg", "action": LINK}
        path = "messages[0].template.columns[0].imageUrl"
        assert list(complaints_about(buttons(type="image_carousel", columns=[column]))) == [path]

    def test_alt_text_is_needed(self) -> None:
        message = {**buttons(), "altText": ""}
        assert list(complaints_about(message)) == ["messages[0].altText"]

    def test_an_unknown_template(self) -> None:
        assert list(complaints_about(buttons(type="wheel"))) == ["messages[0].template.type"]


class TestActions:
    @pytest.mark.parametrize(
        ("action", "field"),
        [
            ({"type": "uri", "label": "x", "uri": "https://x.example/" + "a" * 1000}, "uri"),
            ({"type": "uri", "label": "x", "uri": "javascript:alert(1)"}, "uri"),
            ({"type": "uri", "label": "x"}, "uri"),
            ({**LINK, "label": "あ" * 21}, "label"),
            ({"type": "uri", "uri": "https://x.example/"}, "label"),
            ({"type": "postback", "label": "x", "data": "d" * 301}, "data"),
            ({"type": "message", "label": "x", "text": "d" * 301}, "text"),
            ({"type": "datetimepicker", "label": "x", "data": "d", "mode": "year"}, "mode"),
            ({"type": "explode", "label": "x"}, "type"),
        ],
    )
    def test_bad_ones(self, action: dict[str, Any], field: str) -> None:
        assert list(complaints_about(buttons(actions=[action]))) == [f"messages[0].template.actions[0].{field}"]

    @pytest.mark.parametrize(
        "action",
        [
            {"type": "uri", "label": "x", "uri": "tel:0312345678"},
            {"type": "uri", "label": "x", "uri": "https://x.example/".ljust(1000, "a")},
            {"type": "uri", "label": "x", "uri": "line://app/1"},
            {"type": "postback", "label": "あ" * 20, "data": "d" * 300},
            {"type": "message", "label": "x", "text": "出席"},
        ],
    )
    def test_good_ones(self, action: dict[str, Any]) -> None:
        assert complaints_about(buttons(actions=[action])) == {}

    def test_quick_replies_are_thirteen_at_most(self) -> None:
        item = {"type": "action", "action": LINK}
        assert complaints_about({**text(1), "quickReply": {"items": [item] * 13}}) == {}
        for items in ([item] * 14, [], None):
            assert list(complaints_about({**text(1), "quickReply": {"items": items}})) == [
                "messages[0].quickReply.items"
            ]


class TestFlex:
    def test_a_bubble_and_a_carousel(self) -> None:
        assert complaints_about(flex(bubble()), flex({"type": "carousel", "contents": [bubble()] * 12})) == {}

    def test_alt_text_up_to_1500(self) -> None:
        assert complaints_about(flex(bubble(), alt="x" * 1500)) == {}
        for alt in ("", "x" * 1501):
            assert list(complaints_about(flex(bubble(), alt=alt))) == ["messages[0].altText"]

    def test_a_bubble_of_thirty_kilobytes(self) -> None:
        assert complaints_about(flex(heavy_bubble(28))) == {}
        assert complaints_about(flex(heavy_bubble(31))) == {"messages[0].contents": "Size must be 30 KB or less"}

    def test_a_carousel_of_fifty_kilobytes(self) -> None:
        assert complaints_about(flex({"type": "carousel", "contents": [heavy_bubble(20)] * 2})) == {}
        too_heavy = flex({"type": "carousel", "contents": [heavy_bubble(20)] * 3})
        assert complaints_about(too_heavy) == {"messages[0].contents": "Size must be 50 KB or less"}

    def test_thirteen_bubbles_are_too_many(self) -> None:
        assert list(complaints_about(flex({"type": "carousel", "contents": [bubble()] * 13}))) == [
            "messages[0].contents.contents"
        ]

    @pytest.mark.parametrize(
        ("component", "path"),
        [
            ({"type": "text", "text": ""}, ".text"),
            ({"type": "text", "contents": [{"type": "span"}]}, ".contents[0].text"),
            ({"type": "text", "contents": [{"type": "text", "text": "x"}]}, ".contents[0].type"),
            ({"type": "image", "url": "http://x.example/a.jpg"}, ".url"),
            ({"type": "button"}, ".action"),
            ({"type": "button", "action": {"type": "uri", "uri": "https://x.example/"}}, ".action.label"),
            ({"type": "box", "layout": "diagonal", "contents": []}, ".layout"),
            ({"type": "box", "layout": "vertical"}, ".contents"),
            ({"type": "blink"}, ".type"),
            ("text", ""),
        ],
    )
    def test_parts_that_cannot_be_drawn(self, component: Any, path: str) -> None:
        body = {"type": "box", "layout": "vertical", "contents": [component]}
        assert list(complaints_about(flex(bubble(body=body)))) == [f"messages[0].contents.body.contents[0]{path}"]

    def test_boxes_in_boxes_without_end(self) -> None:
        box: dict[str, Any] = {"type": "box", "layout": "vertical", "contents": []}
        for _ in range(100):
            box = {"type": "box", "layout": "vertical", "contents": [box]}
        assert list(complaints_about(flex(bubble(body=box)))) != []


class TestOverHttp:
    def test_the_complaint_names_the_place(self, line: httpx2.Client, friend_id: str) -> None:
        body = {"to": friend_id, "messages": [text(1), {**IMAGE, "originalContentUrl": "http://x.example/a.jpg"}]}
        answer = line.post("/v2/bot/message/push", json=body)
        assert answer.status_code == 400
        assert answer.json() == {
            "message": "The request body has 1 error(s)",
            "details": [{"message": "Must be a valid HTTPS URL", "property": "messages[1].originalContentUrl"}],
        }
