from pathlib import Path

import pytest

from tests.events.pictures import samples
from tsudoi.core.errors import Unavailable
from tsudoi.core.media import DirectoryStore, MediaUnavailable
from tsudoi.events.pictures import service
from tsudoi.events.pictures.rules.picture import PreparedPicture, prepare

PICTURE = prepare(samples.packed(samples.photo(1200, 800)))


class FullAfterOne(DirectoryStore):
    """A disk on which the first file still fits."""

    taken = 0

    def put(self, key: str, data: bytes) -> None:
        if self.taken:
            raise MediaUnavailable
        self.taken += 1
        super().put(key, data)


class Stuck(FullAfterOne):
    def delete(self, key: str) -> None:
        raise MediaUnavailable(key)


def files(root: Path) -> list[str]:
    return sorted(path.name for path in root.rglob("*") if path.is_file())


class TestStore:
    def test_both_pictures_lie_below_one_key(self, tmp_path: Path) -> None:
        media = DirectoryStore(tmp_path)
        key = service.store(media, PICTURE)
        assert media.read(f"events/{key}/notice_o.jpg") == PICTURE.original
        assert media.read(f"events/{key}/notice_p.jpg") == PICTURE.preview
        assert files(tmp_path) == ["notice_o.jpg", "notice_p.jpg"]

    def test_keys_are_never_the_same_and_cannot_be_guessed(self, tmp_path: Path) -> None:
        media, small = DirectoryStore(tmp_path), PreparedPicture(b"o", b"p")
        keys = {service.store(media, small) for _ in range(50)}
        assert len(keys) == 50
        # 43 characters of 6 bits each: 256 bits.
        assert all(len(key) == 43 and service.is_media_key(key) for key in keys)

    def test_when_the_second_cannot_be_written_the_first_goes_too(self, tmp_path: Path) -> None:
        media = FullAfterOne(tmp_path)
        with pytest.raises(Unavailable):
            service.store(media, PICTURE)
        assert media.taken == 1
        assert list((tmp_path / "events").iterdir()) == []

    def test_a_disk_that_cannot_even_remove_still_says_what_went_wrong_first(self, tmp_path: Path) -> None:
        with pytest.raises(Unavailable):
            service.store(Stuck(tmp_path), PICTURE)
        # Left for the sweep.
        assert files(tmp_path) == ["notice_o.jpg"]


class TestDiscard:
    def test_both_pictures_and_their_folder_go(self, tmp_path: Path) -> None:
        media = DirectoryStore(tmp_path)
        gone, kept = service.store(media, PICTURE), service.store(media, PICTURE)
        assert service.discard(media, gone)
        assert [path.name for path in (tmp_path / "events").iterdir()] == [kept]

    def test_twice_is_no_error(self, tmp_path: Path) -> None:
        media = DirectoryStore(tmp_path)
        key = service.store(media, PICTURE)
        assert service.discard(media, key)
        assert service.discard(media, key)


def test_the_addresses_are_those_of_the_document() -> None:
    assert service.urls("https://tsudoi.example", "KEY") == (
        "https://tsudoi.example/files/events/KEY/notice_o.jpg",
        "https://tsudoi.example/files/events/KEY/notice_p.jpg",
    )
