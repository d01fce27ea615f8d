"""What is not taken, and why: the reasons that the office's screen shows."""

from io import BytesIO

import pytest
from PIL import Image

from tests.events.pictures import samples
from tsudoi.events.pictures.errors import PictureRefused
from tsudoi.events.pictures.rules.picture import LARGEST_UPLOAD, MOST_MARKERS, MOST_SCANS, opened, prepare

GOOD = samples.packed(samples.corners())


def reason(data: bytes) -> str:
    with pytest.raises(PictureRefused) as refused:
        prepare(data)
    assert [(detail.field, detail.reason) for detail in refused.value.details] == [("image", refused.value.reason)]
    assert refused.value.status == 400
    return refused.value.reason


class TestNotJpeg:
    @pytest.mark.parametrize("kind", ["PNG", "GIF", "WEBP", "BMP", "TIFF"])
    def test_another_format_whatever_its_name_says(self, kind: str) -> None:
        target = BytesIO()
        samples.corners().save(target, kind)
        assert reason(target.getvalue()) == "NOT_JPEG"

    @pytest.mark.parametrize("data", [b"\xff", b"\xff\xd8", b"<html>", b"%PDF-1.7", b"\0" * 100, b"PK\3\4"])
    def test_no_picture_at_all(self, data: bytes) -> None:
        assert reason(data) == "NOT_JPEG"

    def test_a_jpeg_that_comes_after_something_else(self) -> None:
        assert reason(b"<html></html>" + GOOD) == "NOT_JPEG"


class TestTooLarge:
    def test_one_byte_more_than_five_megabytes(self) -> None:
        assert reason(samples.grown_to(GOOD, LARGEST_UPLOAD + 1)) == "TOO_LARGE"

    def test_exactly_five_megabytes_are_fine(self) -> None:
        assert LARGEST_UPLOAD == 5 * 1024 * 1024
        assert samples.unpacked(prepare(samples.grown_to(GOOD, LARGEST_UPLOAD)).original).size == (320, 192)


class TestTooManyPixels:
    @pytest.mark.parametrize("size", [(65_500, 65_500), (6000, 4300), (30_000, 900), (5016, 5018)])
    def test_is_seen_in_the_header_before_anything_is_unpacked(
        self, size: tuple[int, int], monkeypatch: pytest.MonkeyPatch
    ) -> None:
        def unpacks(*_: object) -> None:
            raise AssertionError("unpacked")

        monkeypatch.setattr("PIL.JpegImagePlugin.JpegImageFile.load", unpacks)
        assert reason(samples.sized_by_header(GOOD, *size)) == "TOO_MANY_PIXELS"
        with pytest.raises(AssertionError, match="unpacked"):
            prepare(samples.sized_by_header(GOOD, 4000, 6000))

    def test_also_when_the_bomb_is_cut_off(self) -> None:
        bomb = samples.sized_by_header(GOOD, 65_500, 65_500)
        assert reason(bomb[: bomb.index(b"\xff\xda")]) == "TOO_MANY_PIXELS"

    @pytest.mark.parametrize("size", [(1, 51), (51, 1), (20_000, 399)])
    def test_a_thread_is_no_picture(self, size: tuple[int, int]) -> None:
        assert reason(samples.sized_by_header(GOOD, *size)) == "TOO_MANY_PIXELS"

    @pytest.mark.parametrize("size", [(5712, 4284), (6016, 4016), (6000, 4000), (1080, 20_000)])
    def test_lets_in_what_cameras_call_24_megapixels(self, size: tuple[int, int]) -> None:
        assert opened(samples.sized_by_header(GOOD, *size)).size == size


class TestBroken:
    @pytest.mark.parametrize("progressive", [False, True])
    def test_cut_off_anywhere(self, progressive: bool) -> None:
        whole = samples.packed(samples.photo(160, 120), progressive=progressive)
        answers = {reason(whole[:length]) for length in range(3, len(whole), 7)} | {reason(whole[:-1])}
        assert answers == {"BROKEN"}

    def test_a_file_with_nothing_in_it(self) -> None:
        assert reason(b"") == "BROKEN"

    def test_only_a_start_and_an_end(self) -> None:
        assert reason(b"\xff\xd8\xff\xd9") == "BROKEN"

    @pytest.mark.parametrize("size", [(0, 100), (100, 0)])
    def test_without_a_width_or_a_height(self, size: tuple[int, int]) -> None:
        assert reason(samples.sized_by_header(GOOD, *size)) == "BROKEN"

    def test_two_sizes_in_one_file(self) -> None:
        frame = GOOD[GOOD.index(b"\xff\xc0") :][:19]
        twice = samples.with_part(GOOD, 0xC0, frame[4:])
        assert reason(twice) == "BROKEN"
        small_first = samples.with_part(samples.sized_by_header(GOOD, 65_500, 65_500), 0xC0, frame[4:])
        assert reason(small_first) == "TOO_MANY_PIXELS"
        large_first = samples.with_part(GOOD, 0xC0, samples.sized_by_header(frame, 65_500, 65_500)[4:])
        assert reason(large_first) == "BROKEN"

    def test_no_table_to_unpack_it_with(self) -> None:
        assert reason(GOOD.replace(b"\xff\xdb", b"\xff\xfe")) == "BROKEN"

    @pytest.mark.parametrize("bits", [12, 16, 0])
    def test_more_bits_than_screens_show(self, bits: int) -> None:
        at = GOOD.index(b"\xff\xc0") + 4
        assert reason(GOOD[:at] + bytes((bits,)) + GOOD[at + 1 :]) == "BROKEN"

    def test_a_scan_bomb_that_would_keep_the_processor_busy_for_minutes(self) -> None:
        picture = samples.packed(Image.new("L", (64, 64)), progressive=True)
        scan = picture[picture.rindex(b"\xff\xda") : -2]
        few = picture[:-2] + scan * 20 + b"\xff\xd9"
        assert samples.unpacked(prepare(few).original).size == (64, 64)
        assert reason(picture[:-2] + scan * MOST_SCANS + b"\xff\xd9") == "BROKEN"

    def test_a_file_of_nothing_but_small_parts(self) -> None:
        assert reason(GOOD[:2] + samples.part(0xFE, b"") * MOST_MARKERS + GOOD[2:]) == "BROKEN"

    def test_noise_in_any_place_is_a_picture_or_a_reason_but_never_a_crash(self) -> None:
        """Every byte of the head, turned over. (Damage within the pixels is drawn as it is, as browsers do.)"""
        small = samples.packed(samples.corners(16, 16), exif=samples.exif(6), icc_profile=b"no profile")
        for at in range(2, small.index(b"\xff\xda") + 20):
            damaged = small[:at] + bytes((small[at] ^ 0xFF,)) + small[at + 1 :]
            try:
                prepare(damaged)
            except PictureRefused:
                continue
