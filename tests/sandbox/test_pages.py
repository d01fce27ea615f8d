import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import httpx2
import pytest

from tsudoi.sandbox.config import SandboxConfig
from tsudoi.sandbox.server import running


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory, config: SandboxConfig) -> Iterator[httpx2.Client]:
    root = tmp_path_factory.mktemp("box")
    static = root / "static"
    (static / "assets").mkdir(parents=True)
    (static / "index.html").write_text("<!doctype html><title>phones</title>")
    (static / "favicon.svg").write_text("<svg/>")
    (static / "assets" / "app-123.js").write_text("console.log(1)")
    (root / "secret.txt").write_text("secret")
    with running(config, static_dir=static) as box, httpx2.Client(base_url=box.url, trust_env=False) as client:
        yield client


class TestThePhonesPage:
    def test_the_built_page_is_served_with_a_strict_policy(self, built: httpx2.Client) -> None:
        answer = built.get("/")
        assert "phones" in answer.text
        policy = dict(part.strip().split(" ", 1) for part in answer.headers["content-security-policy"].split(";"))
        assert policy["default-src"] == "'none'"
        assert policy["script-src"] == "'self'"
        assert "http://127.0.0.1:8000" in policy["frame-src"]
        assert answer.headers["x-content-type-options"] == "nosniff"
        assert answer.headers["cache-control"] == "no-cache"

    def test_assets_are_kept_for_long_and_other_files_are_not(self, built: httpx2.Client) -> None:
        asset = built.get("/assets/app-123.js")
        assert "javascript" in asset.headers["content-type"]
        assert asset.headers["cache-control"] == "public, max-age=31536000, immutable"
        assert built.get("/favicon.svg").headers["cache-control"] == "no-cache"

    @pytest.mark.parametrize(
        "path", ["/assets/none.js", "/assets/", "/assets/%2e%2e/%2e%2e/secret.txt", "/..%2fsecret.txt"]
    )
    def test_nothing_else_is_served(self, built: httpx2.Client, path: str) -> None:
        answer = built.get(path)
        assert answer.status_code == 404
        assert "secret" not in answer.text

    def test_before_it_is_built_the_page_says_how(self, tmp_path: Path, config: SandboxConfig) -> None:
        with running(config, static_dir=tmp_path) as box:
            answer = httpx2.get(box.url, trust_env=False)
        assert "make web" in answer.text
        assert 'lang="ja"' in answer.text
        assert "script-src" not in answer.headers["content-security-policy"]


class TestPictures:
    def test_everybody_has_a_face_of_their_own(
        self, control: httpx2.Client, friend: Callable[..., dict[str, Any]]
    ) -> None:
        first, second = friend("山田"), friend("&佐藤")
        faces = [control.get(person["picture_url"]) for person in (first, second)]
        assert all(face.headers["content-type"].startswith("image/svg+xml") for face in faces)
        assert ">山</text>" in faces[0].text
        assert ">&amp;</text>" in faces[1].text
        assert faces[0].text == control.get(first["picture_url"]).text
        assert "hsl(" in faces[0].text

    def test_nobodys_face(self, control: httpx2.Client) -> None:
        assert control.get("/_sandbox/pictures/U0.svg").status_code == 404
        assert control.get("/_sandbox/pictures/account.svg").status_code == 200

    def test_the_style_of_the_boxs_own_pages(self, control: httpx2.Client) -> None:
        assert control.get("/_sandbox/page.css").headers["content-type"].startswith("text/css")


class TestNews:
    def test_each_piece_of_news_leads_back_to_the_list_and_the_list_to_the_phones(self, control: httpx2.Client) -> None:
        listed = control.get("/news").raise_for_status().text
        links = re.findall(r'href="(/news/[a-z]+)"', listed)
        assert len(links) == 3
        assert 'href="/"' in listed
        for link in links:
            assert 'href="/news"' in control.get(link).raise_for_status().text

    def test_inside_a_phone_the_phone_itself_closes_the_page(self, control: httpx2.Client) -> None:
        framed = control.get("/news", headers={"sec-fetch-dest": "iframe"}).text
        assert 'href="/"' not in framed
        assert "トークに戻ります" in framed

    def test_news_that_is_none_is_told(self, control: httpx2.Client) -> None:
        missing = control.get("/news/nothing")
        assert (missing.status_code, 'href="/news"' in missing.text) == (404, True)
