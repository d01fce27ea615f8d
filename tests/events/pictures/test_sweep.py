"""The sweep removes what belongs to nothing, and never anything else."""

import os
from collections.abc import Sequence
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import insert

from tsudoi.access.admins import service as admins
from tsudoi.core.clock import ManualClock
from tsudoi.core.db.interface import Database, Tx
from tsudoi.core.installation import owner_of
from tsudoi.core.media import STAMP, DirectoryStore, MediaOfAnotherDatabase, MediaUnavailable
from tsudoi.events.event.models import Event
from tsudoi.events.pictures import jobs, queries, service
from tsudoi.events.pictures.rules.picture import PreparedPicture

PICTURE = PreparedPicture(b"original", b"preview")


@pytest.fixture
def media(tmp_path: Path) -> DirectoryStore:
    return DirectoryStore(tmp_path / "media")


class Office:
    """Puts pictures into the store, as old as the test says, with an event or without."""

    def __init__(self, db: Database, media: DirectoryStore, root: Path) -> None:
        self._db, self._media, self.root = db, media, root
        self._admin = db.write_now(admins.create_admin, "jimukyoku", "hash")

    def upload(self, minutes_ago: float) -> str:
        key = service.store(self._media, PICTURE)
        self.age(self.root / key, minutes_ago)
        return key

    def age(self, path: Path, minutes_ago: float) -> None:
        at = (self._db.clock.now() - timedelta(minutes=minutes_ago)).timestamp()
        os.utime(path, (at, at))

    def event(self, key: str | None) -> None:
        self._db.write_now(_insert, media_key=key, created_by_admin=self._admin)

    def folders(self) -> set[str]:
        return {path.name for path in self.root.iterdir()}


def _insert(tx: Tx, /, **values: Any) -> None:
    tx.execute(insert(Event).values(title="総会", held_at=tx.now, created_at=tx.now, updated_at=tx.now, **values))


@pytest.fixture
def office(db: Database, media: DirectoryStore, tmp_path: Path) -> Office:
    return Office(db, media, tmp_path / "media" / "events")


class TestSweepOrphans:
    def test_what_no_event_points_at_goes_after_an_hour(
        self, db: Database, media: DirectoryStore, office: Office
    ) -> None:
        orphan, kept = office.upload(61), office.upload(100_000)
        office.event(kept)
        office.event(None)
        assert orphan in office.folders()
        assert jobs.sweep_orphans(db, media) == 1
        assert office.folders() == {kept}
        assert media.read(service.path(kept, service.ORIGINAL)) == PICTURE.original
        assert jobs.sweep_orphans(db, media) == 0

    def test_an_event_that_is_being_made_right_now_keeps_its_picture(
        self, db: Database, media: DirectoryStore, office: Office, clock: ManualClock
    ) -> None:
        key = office.upload(59)
        assert jobs.sweep_orphans(db, media) == 0
        office.event(key)
        clock.advance(timedelta(hours=5))
        assert jobs.sweep_orphans(db, media) == 0
        assert office.folders() == {key}

    def test_without_the_event_the_same_picture_goes(
        self, db: Database, media: DirectoryStore, office: Office, clock: ManualClock
    ) -> None:
        office.upload(59)
        clock.advance(timedelta(hours=5))
        assert jobs.sweep_orphans(db, media) == 1

    def test_many_are_looked_at_a_few_at_a_time(
        self, db: Database, media: DirectoryStore, office: Office, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(jobs, "AT_A_TIME", 3)
        kept = {office.upload(90) for _ in range(8)}
        for key in kept:
            office.event(key)
        for _ in range(11):
            office.upload(90)
        asked: list[int] = []
        ask = queries.pointed_at

        def counted(tx: Tx, keys: Sequence[str]) -> set[str]:
            asked.append(len(keys))
            return ask(tx, keys)

        monkeypatch.setattr(queries, "pointed_at", counted)
        assert jobs.sweep_orphans(db, media) == 11
        assert office.folders() == kept
        assert max(asked) == 3

    def test_what_a_crash_left_unfinished_goes_from_a_live_folder_too(
        self, db: Database, media: DirectoryStore, office: Office
    ) -> None:
        key = office.upload(90)
        office.event(key)
        for name, age in ((".half.tmp", 61), (".writing.tmp", 1)):
            (office.root / key / name).write_bytes(b"half")
            office.age(office.root / key / name, age)
        jobs.sweep_orphans(db, media)
        assert {path.name for path in (office.root / key).iterdir()} == {"notice_o.jpg", "notice_p.jpg", ".writing.tmp"}

    def test_a_folder_that_somebody_else_made_stays(self, db: Database, media: DirectoryStore, office: Office) -> None:
        for folder in (office.root / "backup-2025", office.root.parent / "booking" / ("a" * 43)):
            folder.mkdir(parents=True)
            office.age(folder, 90)
        assert jobs.sweep_orphans(db, media) == 0
        assert office.folders() == {"backup-2025"}

    def test_one_that_cannot_be_removed_does_not_keep_the_others(
        self, db: Database, media: DirectoryStore, office: Office, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        stuck = office.upload(90)
        for _ in range(3):
            office.upload(90)
        delete = media.delete

        def refuse(key: str) -> None:
            if stuck in key:
                raise MediaUnavailable
            delete(key)

        monkeypatch.setattr(media, "delete", refuse)
        assert jobs.sweep_orphans(db, media) == 3
        assert office.folders() == {stuck}

    def test_before_the_first_picture_nothing_happens(self, db: Database, media: DirectoryStore) -> None:
        assert jobs.sweep_orphans(db, media) == 0

    @pytest.mark.found("24.D2")
    @pytest.mark.row("8.B.20")
    def test_the_pictures_of_another_database_stay(self, db: Database, media: DirectoryStore, office: Office) -> None:
        """A second database on the same DATA_DIR took all of them for orphans, and removed them in three seconds."""
        production = {office.upload(90) for _ in range(3)}
        media.set_stamp("0c0ffee0-0000-4000-8000-000000000000", instead_of=None)
        second = DirectoryStore(office.root.parent, owner_of(db))
        with pytest.raises(MediaOfAnotherDatabase):
            jobs.sweep_orphans(db, second)
        assert office.folders() == production

    @pytest.mark.found("24.D2")
    @pytest.mark.row("8.B.20")
    def test_a_sweep_ends_when_the_store_changes_hands_meanwhile(
        self, db: Database, office: Office, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        ours = DirectoryStore(office.root.parent, owner_of(db))
        ours.require_owner()
        orphans = {office.upload(90) for _ in range(3)}
        ask = queries.pointed_at

        def changing_hands(tx: Tx, keys: Sequence[str]) -> set[str]:
            (office.root.parent / STAMP).write_text("0c0ffee0-0000-4000-8000-000000000000")
            return ask(tx, keys)

        monkeypatch.setattr(queries, "pointed_at", changing_hands)
        with pytest.raises(MediaOfAnotherDatabase):
            jobs.sweep_orphans(db, ours)
        assert office.folders() == orphans
