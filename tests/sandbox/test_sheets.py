"""Google Sheets as the box plays it: log-in, ranges, values, refusals, the page."""

import time
from typing import Any

import httpx2
import jwt
import pytest
from cryptography.hazmat.primitives.asymmetric import rsa

from tsudoi.sandbox import a1
from tsudoi.sandbox.server import RunningSandbox

SCOPE = "https://www.googleapis.com/auth/spreadsheets"
GRANT = "urn:ietf:params:oauth:grant-type:jwt-bearer"
ROWS = [["id", "氏名", "済"], [1, "山田 太郎", True], [], [3, "佐藤", ""], ["", ""]]
SHEET = "/_sandbox/sheets/S1/Members"
VALUES = "/v4/spreadsheets/S1/values"


def ask_token(control: httpx2.Client, key: Any = None, algorithm: str = "RS256", **claims: Any) -> httpx2.Response:
    file = control.get("/_sandbox/sheets/service-account.json").json()
    now = int(time.time())
    said = {"iss": file["client_email"], "aud": file["token_uri"], "iat": now, "exp": now + 3600, "scope": SCOPE}
    signed = jwt.encode({**said, **claims}, key or file["private_key"], algorithm=algorithm)
    return control.post("/token", data={"grant_type": GRANT, "assertion": signed})


@pytest.fixture
def google(control: httpx2.Client, box: RunningSandbox) -> Any:
    control.put(SHEET, json={"rows": ROWS}).raise_for_status()
    token = ask_token(control).json()["access_token"]
    with httpx2.Client(base_url=box.url, headers={"authorization": f"Bearer {token}"}, trust_env=False) as client:
        yield client


def values(google: httpx2.Client, wanted: str, **params: str) -> Any:
    answer = google.get(f"{VALUES}/{wanted}", params=params)
    assert answer.status_code == 200, answer.text
    return answer.json().get("values")


class TestToken:
    def test_for_a_request_signed_with_the_key(self, control: httpx2.Client) -> None:
        answer = ask_token(control)
        assert answer.status_code == 200
        assert answer.json()["token_type"] == "Bearer"
        assert ask_token(control, aud="https://oauth2.googleapis.com/token").status_code == 200

    @pytest.mark.parametrize(
        "claims",
        [
            {"iss": "somebody@example.com"},
            {"aud": "https://example.com"},
            {"exp": 1, "iat": 0},
            {"exp": int(time.time()) + 90_000},
            {"iat": int(time.time()) + 9_000, "exp": int(time.time()) + 9_500},
            {"scope": "https://www.googleapis.com/auth/drive"},
            {"scope": ""},
        ],
    )
    def test_not_for_a_wrong_claim(self, control: httpx2.Client, claims: dict[str, Any]) -> None:
        answer = ask_token(control, **claims)
        assert answer.status_code == 400
        assert set(answer.json()) == {"error", "error_description"}

    def test_not_for_a_forged_signature(self, control: httpx2.Client) -> None:
        forger = rsa.generate_private_key(public_exponent=65537, key_size=2048)
        assert ask_token(control, forger).json()["error"] == "invalid_grant"
        assert ask_token(control, "a secret that is long enough for it", "HS256").json()["error"] == "invalid_grant"

    def test_not_for_another_grant(self, control: httpx2.Client) -> None:
        assert control.post("/token", data={"grant_type": "password"}).json()["error"] == "unsupported_grant_type"
        assert control.post("/token", content=b"\xff\x00").status_code == 400


class TestValues:
    def test_end_where_the_content_ends(self, google: httpx2.Client) -> None:
        assert values(google, "Members", valueRenderOption="UNFORMATTED_VALUE") == [
            ["id", "氏名", "済"],
            [1, "山田 太郎", True],
            [],
            [3, "佐藤"],
        ]

    def test_are_text_unless_asked_otherwise(self, google: httpx2.Client) -> None:
        assert values(google, "'Members'!A2:C2") == [["1", "山田 太郎", "TRUE"]]

    @pytest.mark.parametrize(
        ("wanted", "found"),
        [
            ("Members!B2", [["山田 太郎"]]),
            ("B2", [["山田 太郎"]]),
            ("Members!A4:Z1000", [["3", "佐藤"]]),
            ("Members!A4:ZZ99999", [["3", "佐藤"]]),
            ("Members!B:B", [["氏名"], ["山田 太郎"], [], ["佐藤"]]),
            ("Members!4:4", [["3", "佐藤"]]),
            ("Members!$A$1:$B$1", [["id", "氏名"]]),
            ("Members!A3:C3", None),
        ],
    )
    def test_of_a_range(self, google: httpx2.Client, wanted: str, found: Any) -> None:
        assert values(google, wanted) == found

    def test_by_columns(self, google: httpx2.Client) -> None:
        assert values(google, "Members!A1:C4", majorDimension="COLUMNS") == [
            ["id", "1", "", "3"],
            ["氏名", "山田 太郎", "", "佐藤"],
            ["済", "TRUE"],
        ]
        answer = google.get(f"{VALUES}:batchGet", params={"ranges": ["Members!A1", "Members!B2"]}).json()
        assert [found["values"] for found in answer["valueRanges"]] == [[["id"]], [["山田 太郎"]]]

    @pytest.mark.parametrize(
        "wanted", ["Members!A1001", "Members!AB1", "Nothing!A1", "Members!A0", "Members!-", "Members!:"]
    )
    def test_of_no_range(self, google: httpx2.Client, wanted: str) -> None:
        error = google.get(f"{VALUES}/{wanted}").json()["error"]
        assert (error["code"], error["status"]) == (400, "INVALID_ARGUMENT")

    def test_the_spreadsheet_tells_its_sheets(self, google: httpx2.Client) -> None:
        [sheet] = google.get("/v4/spreadsheets/S1").json()["sheets"]
        assert sheet["properties"]["title"] == "Members"
        assert sheet["properties"]["gridProperties"] == {"rowCount": 1000, "columnCount": 26}


class TestWriting:
    def test_touches_these_cells_alone(self, google: httpx2.Client, control: httpx2.Client) -> None:
        data = [{"range": "Members!E2", "values": [["x"]]}, {"range": "Members!A3:B3", "values": [[2, None]]}]
        answer = google.post(f"{VALUES}:batchUpdate", json={"valueInputOption": "RAW", "data": data})
        assert answer.json()["totalUpdatedCells"] == 2
        rows = control.get(SHEET).json()["rows"]
        assert rows[1] == [1, "山田 太郎", True, "", "x"]
        assert rows[2] == [2]
        assert (rows[0], rows[3:]) == (ROWS[0], ROWS[3:])

    def test_as_typed_or_as_it_is(self, google: httpx2.Client, control: httpx2.Client) -> None:
        for option, expected in (("RAW", "7"), ("USER_ENTERED", 7)):
            body = {"values": [["7"]]}
            answer = google.put(f"{VALUES}/Members!A2", params={"valueInputOption": option}, json=body)
            assert answer.json()["updatedRange"] == "Members!A2"
            assert control.get(SHEET).json()["rows"][1][0] == expected

    def test_all_or_nothing(self, google: httpx2.Client, control: httpx2.Client) -> None:
        data = [{"range": "Members!A2", "values": [["x"]]}, {"range": "Nothing!A1", "values": [["x"]]}]
        answer = google.post(f"{VALUES}:batchUpdate", json={"valueInputOption": "RAW", "data": data})
        assert answer.status_code == 400
        assert control.get(SHEET).json()["rows"] == ROWS

    def test_not_with_a_key_that_only_reads(self, google: httpx2.Client, control: httpx2.Client) -> None:
        token = ask_token(control, scope=f"{SCOPE}.readonly").json()["access_token"]
        google.headers["authorization"] = f"Bearer {token}"
        assert values(google, "Members!A1") == [["id"]]
        body = {"values": [["7"]]}
        answer = google.put(f"{VALUES}/Members!A2", params={"valueInputOption": "RAW"}, json=body)
        assert answer.json()["error"]["status"] == "PERMISSION_DENIED"


class TestRefusals:
    def test_without_a_token(self, google: httpx2.Client) -> None:
        for header in ("", "Bearer nonsense", "Basic x"):
            error = google.get(f"{VALUES}/Members", headers={"authorization": header}).json()["error"]
            assert (error["code"], error["status"]) == (401, "UNAUTHENTICATED")

    def test_not_shared_and_not_there(self, google: httpx2.Client, control: httpx2.Client) -> None:
        control.put(SHEET, json={"rows": [], "shared": False}).raise_for_status()
        assert google.get("/v4/spreadsheets/S1").json()["error"]["status"] == "PERMISSION_DENIED"
        assert google.get("/v4/spreadsheets/S2").json()["error"]["status"] == "NOT_FOUND"

    @pytest.mark.parametrize(
        ("kind", "status"),
        [("error_500_before", "INTERNAL"), ("error_500_after", "INTERNAL"), ("rate_limited", "RESOURCE_EXHAUSTED")],
    )
    def test_faults_speak_google(self, google: httpx2.Client, control: httpx2.Client, kind: str, status: str) -> None:
        control.put("/_sandbox/faults", json={"rules": [{"kind": kind, "endpoint": "sheets"}]}).raise_for_status()
        assert google.get("/v4/spreadsheets/S1").json()["error"]["status"] == status

    def test_of_rows_that_are_none(self, control: httpx2.Client) -> None:
        nonsense: tuple[Any, ...] = (None, [1], [[{}]], [[[]]])
        for rows in nonsense:
            assert control.put(SHEET, json={"rows": rows}).status_code == 400
        assert control.get(SHEET).status_code == 404


@pytest.mark.usefixtures("google")
class TestPage:
    def test_shows_the_sheet_and_takes_what_is_typed(self, control: httpx2.Client) -> None:
        page = control.get("/_sandbox/sheets", follow_redirects=True)
        assert 'value="山田 太郎"' in page.text
        assert "script" not in page.headers["content-security-policy"]
        typed = {
            "c1-1": "山田 <次郎>",
            "c1-2": "True",
            "c2-0": "2",
            "c2-1": "新 人",
            "c900-0": "x",
            "c1-900": "x",
            "z": "x",
        }
        saved = control.post(f"{SHEET}/edit", data=typed, follow_redirects=True)
        assert "保存しました" in saved.text
        assert "山田 &lt;次郎&gt;" in saved.text
        rows = control.get(SHEET).json()["rows"]
        assert rows[1:3] == [[1, "山田 <次郎>", True], [2, "新 人"]]

    def test_not_from_another_site(self, control: httpx2.Client) -> None:
        strange = {"origin": "https://evil.example"}
        assert control.post(f"{SHEET}/edit", data={"c1-1": "x"}, headers=strange).status_code == 403
        assert control.put(SHEET, json={"rows": []}, headers=strange).status_code == 403
        assert control.get(SHEET).json()["rows"] == ROWS

    def test_of_nothing(self, control: httpx2.Client) -> None:
        control.post("/_sandbox/reset").raise_for_status()
        assert "まだシートがありません" in control.get("/_sandbox/sheets").text
        assert control.get(f"{SHEET}/edit").status_code == 404
        assert control.post(f"{SHEET}/edit", data={}).status_code == 404


@pytest.mark.parametrize("column", [0, 25, 26, 51, 52, 701, 702])
def test_columns_have_the_names_they_are_found_by(column: int) -> None:
    assert a1.parse(f"{a1.letters(column)}1").left == column


def test_a_name_with_a_quote_is_written_as_google_does() -> None:
    area = a1.CellRange(None, 0, 0, 1, 1)
    assert a1.name("会員's", area) == "'会員''s'!A1:B2"
    assert a1.parse("'会員''s'!A1:B2").sheet == "会員's"
