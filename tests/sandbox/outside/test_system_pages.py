"""The pages of the shops, the rooms and the phones, as a browser without scripts uses them."""

import re
from collections.abc import Callable

import httpx2
import pytest

Client = httpx2.Client
STRANGE = {"origin": "https://evil.example"}
PAGES = (
    *("/stores", "/stores/customers/1001", "/stores/customers/new", "/stores/reservations"),
    *("/stores/reservations/50001", "/stores/reservations/new", "/chatwork", "/sms", "/troubles"),
)


def links(page: httpx2.Response, start: str) -> list[str]:
    return re.findall(rf'href="({re.escape(start)}[^"]*)"', page.text)


def fields(page: httpx2.Response) -> dict[str, str]:
    """What the first form of the page would send."""
    form = re.search(r'<form method="post".*?</form>', page.text, re.DOTALL)
    assert form is not None
    inputs = re.findall(r'<input name="(\w+)"[^>]*? value="([^"]*)"', form.group())
    choices = re.findall(r'<select name="(\w+)">.*?<option value="([^"]*)" selected>', form.group(), re.DOTALL)
    return dict([*inputs, *choices])


@pytest.mark.usefixtures("stores")
class TestEveryPage:
    @pytest.mark.parametrize("path", PAGES)
    def test_is_japanese_without_scripts_and_leads_back(self, control: Client, path: str) -> None:
        page = control.get(path)
        assert page.status_code == 200
        assert 'lang="ja"' in page.text
        assert "width=device-width" in page.text
        assert "script" not in page.headers["content-security-policy"]
        assert 'class="back"' in page.text

    def test_takes_no_form_of_another_site(self, control: Client) -> None:
        posts = ("/stores/customers/1001", "/stores/customers/1001/delete", "/stores/customers/new", "/troubles")
        before = control.get("/_sandbox/stores").json()
        for path in (*posts, "/stores/reservations/50001", "/stores/reservations/50001/delete"):
            answer = control.post(path, data={"system": "stores", "trouble": "down"}, headers=STRANGE)
            assert answer.status_code == 403, path
        assert control.get("/_sandbox/stores").json() == before
        assert control.get("/_sandbox/faults").json()["rules"] == []


class TestCustomers:
    @pytest.mark.usefixtures("stores")
    def test_are_listed_and_found(self, control: Client) -> None:
        assert len(links(control.get("/stores"), "/stores/customers/1")) == 24
        for query, expected in (
            ("TARO.YAMADA", ["1001", "2001"]),
            ("090-1100-0000", ["1001", "2001"]),
            ("健 田中", ["1005"]),
            ("1007", ["1007"]),
            ("だれもいない", []),
        ):
            page = control.get("/stores", params={"q": query})
            found = [link.rpartition("/")[2] for link in links(page, "/stores/customers/")]
            assert [number for number in found if number != "new"] == expected, query

    def test_a_change_reaches_the_product(self, control: Client, stores: Client) -> None:
        page = control.get("/stores/customers/1002")
        typed = {**fields(page), "email": " new@example.com ", "primary_phone_number": "", "name": "<b>佐藤</b>"}
        saved = control.post("/stores/customers/1002", data=typed, follow_redirects=True)
        assert "保存しました" in saved.text
        assert "&lt;b&gt;佐藤&lt;/b&gt;" in saved.text
        customer = stores.get("/customers/1002").json()["customer"]
        assert (customer["email"], customer["primary_phone_number"]) == ("new@example.com", None)
        assert customer["ticket_books"][0]["product_name"] == "回数券 10回"

    @pytest.mark.usefixtures("stores")
    def test_saving_without_a_change_changes_nothing(self, control: Client) -> None:
        for path in ("customers/1001", "reservations/50002"):
            before = control.get(f"/_sandbox/stores/{path}").json()
            control.post(f"/stores/{path}", data=fields(control.get(f"/stores/{path}")))
            after = control.get(f"/_sandbox/stores/{path}").json()
            assert {**after, "latest_changed_at": ""} == {**before, "latest_changed_at": ""}, path

    def test_one_is_added_and_deleted(self, control: Client, stores: Client) -> None:
        typed = {**fields(control.get("/stores/customers/new")), "name": "新 人", "email": "shin@example.com"}
        added = control.post("/stores/customers/new", data=typed)
        number = added.headers["location"].rpartition("/")[2].removesuffix("?saved")
        assert stores.get(f"/customers/{number}").json()["customer"]["name"] == "新 人"
        control.post(f"/stores/customers/{number}/delete")
        assert stores.get(f"/customers/{number}").status_code == 404
        assert control.get(f"/stores/customers/{number}").status_code == 404

    def test_the_first_one_names_the_shop(self, control: Client) -> None:
        page = control.get("/stores/customers/new")
        assert fields(page)["merchant_canonical_id"] == "mc_1"
        assert control.post("/stores/customers/new", data={"name": "x"}).status_code == 400
        control.post("/stores/customers/new", data={"name": "x", "merchant_canonical_id": "mc_5"})
        assert control.get("/_sandbox/stores").json()["customers"][0]["merchant_canonical_id"] == "mc_5"

    def test_that_do_not_exist(self, control: Client) -> None:
        for path in ("customers/9", "customers/x", "reservations/9", "reservations/x"):
            assert control.get(f"/stores/{path}").status_code == 404
            for end in ("", "/delete"):
                assert control.post(f"/stores/{path}{end}", data={"merchant_canonical_id": "m"}).status_code == 404
        assert "顧客がいません" in control.get("/stores").text
        assert "予約がありません" in control.get("/stores/reservations").text


class TestReservations:
    @pytest.mark.usefixtures("stores")
    def test_are_found_by_person_and_status(self, control: Client) -> None:
        page = control.get("/stores/reservations", params={"q": "山田", "status": "accepted"})
        assert links(page, "/stores/reservations/5")
        assert "山田 太郎" in page.text
        rows = re.findall(r"<li>.*?</li>", page.text, re.DOTALL)
        assert all("確定" in row for row in rows)

    def test_a_change_of_status_and_time_reaches_the_product(self, control: Client, stores: Client) -> None:
        page = control.get("/stores/reservations/50001")
        typed = {**fields(page), "status": "canceled_by_customer", "booking_start": "2026-12-24T18:30"}
        control.post("/stores/reservations/50001", data=typed)
        shown = stores.get("/reservations/50001").json()["reservation"]
        assert (shown["status"], shown["booking_start"]) == ("canceled_by_customer", "2026-12-24T18:30:00+09:00")
        assert shown["checkout_at"] == "2026-12-24T19:30:00+09:00"
        assert shown["customer_name"] == "山田 太郎"

    def test_one_is_added_for_a_person_and_deleted(self, control: Client, stores: Client) -> None:
        page = control.get("/stores/reservations/new", params={"customer": "2001"})
        typed = fields(page)
        assert (typed["customer"], typed["merchant_canonical_id"]) == ("2001", "mc_2")
        added = control.post("/stores/reservations/new", data={**typed, "customer": "1003"})
        number = added.headers["location"].rpartition("/")[2].removesuffix("?saved")
        control.patch(f"/_sandbox/stores/reservations/{number}", json={"merchant_canonical_id": "mc_1"})
        assert stores.get(f"/reservations/{number}").json()["reservation"]["customer_name"] == "鈴木 一郎"
        control.post(f"/stores/reservations/{number}/delete")
        assert stores.get(f"/reservations/{number}").status_code == 404

    @pytest.mark.usefixtures("stores")
    @pytest.mark.parametrize("typed", [{"booking_start": "soon"}, {"num_attendees": "many"}])
    def test_what_makes_no_sense_is_refused(self, control: Client, typed: dict[str, str]) -> None:
        before = control.get("/_sandbox/stores/reservations/50001").json()
        good = fields(control.get("/stores/reservations/50001"))
        assert control.post("/stores/reservations/50001", data={**good, **typed}).status_code == 400
        assert control.get("/_sandbox/stores/reservations/50001").json() == before

    def test_a_status_that_is_new_stays(self, control: Client, stores: Client) -> None:
        control.patch("/_sandbox/stores/reservations/50001", json={"status": "no_show"}).raise_for_status()
        control.post("/stores/reservations/50001", data=fields(control.get("/stores/reservations/50001")))
        assert stores.get("/reservations/50001").json()["reservation"]["status"] == "no_show"


class TestRooms:
    def test_show_what_was_posted(self, control: Client, chatwork: Client) -> None:
        assert "まだメッセージは届いていません" in control.get("/chatwork").text
        chatwork.post("/rooms/42/messages", data={"body": "[info]<障害>[/info]\n二行目"})
        page = control.get("/chatwork")
        assert links(page, "/chatwork/rooms/") == ["/chatwork/rooms/42"]
        room = control.get("/chatwork/rooms/42").text
        assert "[info]&lt;障害&gt;[/info]\n二行目" in room

    def test_a_room_is_closed_to_the_product(self, control: Client, chatwork: Client) -> None:
        chatwork.post("/rooms/42/messages", data={"body": "x"})
        saved = control.post("/chatwork/rooms/42", data={"access": "not_member"}, follow_redirects=True)
        assert "保存しました" in saved.text
        assert chatwork.post("/rooms/42/messages", data={"body": "x"}).status_code == 403
        for path in ("/chatwork/rooms/43", "/chatwork/rooms/x"):
            assert (control.get(path).status_code, control.post(path).status_code) == (404, 404)


class TestPhones:
    def test_show_what_was_sent(self, control: Client, twilio: Client, karaden: Client) -> None:
        assert "まだ SMS は届いていません" in control.get("/sms").text
        twilio.post("/Messages.json", data={"To": "+819012345678", "From": "+15005550006", "Body": "<障害>です"})
        karaden.post("/messages", data={"service_id": "1", "to": "09012345678", "body": "国内から"})
        page = control.get("/sms")
        assert "090-1234-5678" in page.text
        [phone] = links(page, "/sms/phones/")
        text = control.get(phone).text
        assert text.index("国内から") < text.index("&lt;障害&gt;です")

    def test_a_phone_refuses(self, control: Client, twilio: Client) -> None:
        form = {"To": "+819012345678", "From": "+15005550006", "Body": "x"}
        twilio.post("/Messages.json", data=form)
        saved = control.post("/sms/phones/+819012345678", data={"state": "opted_out"}, follow_redirects=True)
        assert "保存しました" in saved.text
        assert twilio.post("/Messages.json", data=form).json()["code"] == 21610
        assert control.get("/sms/phones/+810000").status_code == 404
        assert control.post("/sms/phones/+810000", data={"state": "blocked"}).status_code == 404


class TestTroubles:
    def switch(self, control: Client, **form: str) -> httpx2.Response:
        return control.post("/troubles", data=form)

    def test_one_system_breaks_and_is_mended(self, control: Client, stores: Client, chatwork: Client) -> None:
        self.switch(control, system="stores", trouble="down")
        assert (stores.get("/customers").status_code, chatwork.get("/me").status_code) == (503, 200)
        assert '<option value="down" selected>' in control.get("/troubles").text
        self.switch(control, system="stores", trouble="fine")
        assert stores.get("/customers").status_code == 200

    @pytest.mark.parametrize(
        ("trouble", "status"), [("busy", 429), ("unauthorized", 401), ("forbidden", 403), ("redirect", 302)]
    )
    def test_every_refusal(self, control: Client, stores: Client, trouble: str, status: int) -> None:
        self.switch(control, system="stores", trouble=trouble)
        assert stores.get("/customers").status_code == status

    def test_every_trouble_of_every_system_can_be_switched_on(self, control: Client) -> None:
        page = control.get("/troubles").text
        troubles = set(re.findall(r'<option value="([a-z]+)"', page)) - {"fine"}
        assert len(troubles) == 12
        for system in re.findall(r'name="system" value="(\w+)"', page):
            for trouble in troubles:
                answer = self.switch(control, system=system, trouble=trouble, times="3")
                [rule] = control.get("/_sandbox/faults").json()["rules"]
                assert (answer.status_code, rule["endpoint"], rule["times"]) == (303, system, 3)
            self.switch(control, system=system, trouble="fine")

    def test_rules_of_others_stay(self, control: Client, set_faults: Callable[..., None]) -> None:
        set_faults({"kind": "slow", "id": "own", "endpoint": "push"})
        self.switch(control, system="sms", trouble="lost")
        assert [rule["id"] for rule in control.get("/_sandbox/faults").json()["rules"]] == ["own", "trouble-sms-lost"]

    def test_what_makes_no_sense_is_refused(self, control: Client) -> None:
        for form in ({}, {"system": "moon", "trouble": "down"}, {"system": "stores", "trouble": "flood"}):
            assert self.switch(control, **form).status_code == 400
        assert self.switch(control, system="stores", trouble="down", times="x").status_code == 400
        assert control.get("/_sandbox/faults").json()["rules"] == []
