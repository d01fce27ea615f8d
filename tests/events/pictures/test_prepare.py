"""What becomes of a picture: it looks the same everywhere, and carries nothing but itself."""

from io import BytesIO
from typing import Any

import pytest
from PIL import Image, ImageCms, ImageOps

from tests.events.pictures import samples
from tsudoi.events.pictures.rules.picture import LARGEST_ORIGINAL, LARGEST_PREVIEW, LARGEST_UPLOAD, prepare

# What a picture of ours may consist of: size, tables, colours and the pixels.
OUR_CODES = {0xE0, 0xE2, 0xDB, 0xC0, 0xC4}


def quarters(image: Image.Image) -> list[Any]:
    width, height = image.size
    rgb = image.convert("RGB")
    places = [(1, 1), (3, 1), (1, 3), (3, 3)]
    return [rgb.getpixel((width * x // 4, height * y // 4)) for x, y in places]


class TestOrientation:
    @pytest.mark.parametrize("kind", ["original", "preview"])
    @pytest.mark.parametrize("orientation", range(1, 9))
    def test_is_turned_as_every_other_program_shows_it(self, orientation: int, kind: str) -> None:
        data = samples.packed(samples.corners(), exif=samples.exif(orientation))
        upright = ImageOps.exif_transpose(samples.unpacked(data))
        made = samples.unpacked(getattr(prepare(data), kind))
        assert made.size == upright.size == ((192, 320) if orientation > 4 else (320, 192))
        pairs = zip(quarters(made), quarters(upright), strict=True)
        assert all(samples.near(left, right) for left, right in pairs)
        assert made.getexif().get(0x0112) is None

    def test_the_eight_are_really_different(self) -> None:
        made = set()
        for orientation in range(1, 9):
            image = samples.unpacked(
                prepare(samples.packed(samples.corners(), exif=samples.exif(orientation))).original
            )
            made.add((image.size, tuple(tuple(round(c / 80) for c in one) for one in quarters(image))))
        assert len(made) == 8

    @pytest.mark.parametrize("orientation", [0, 9, 65535])
    def test_nonsense_leaves_it_upright(self, orientation: int) -> None:
        data = samples.packed(samples.corners(), exif=samples.exif(orientation))
        assert samples.unpacked(prepare(data).original).size == (320, 192)

    @pytest.mark.parametrize("block", [b"", b"II", b"MM\0*\0\0\0\x08\xff\xff", b"II*\0\xff\xff\xff\xff", b"x" * 300])
    def test_a_broken_exif_block_is_no_reason_to_refuse(self, block: bytes) -> None:
        data = samples.with_part(samples.packed(samples.corners()), 0xE1, b"Exif\0\0" + block)
        assert samples.unpacked(prepare(data).original).size == (320, 192)

    def test_a_wide_photo_taken_upright_is_1080_wide_as_it_is_seen(self) -> None:
        data = samples.packed(samples.photo(4000, 3000), exif=samples.exif(6))
        assert samples.unpacked(prepare(data).preview).size == (1080, 1440)


class TestWhatIsLeftBehind:
    def test_nothing_tells_where_when_by_whom_or_with_what_it_was_taken(self) -> None:
        xmp = b"<x:xmpmeta>secret-xmp</x:xmpmeta>"
        data = samples.packed(
            samples.photo(1600, 1200),
            exif=samples.exif(1, make="secret-camera", artist="secret-name"),
            xmp=xmp,
            comment=b"secret-comment",
        )
        data = samples.with_part(data, 0xED, b"Photoshop 3.0\x008BIM\x04\x04secret-iptc")
        data = samples.with_part(data, 0xE7, b"secret-app7")
        assert Image.open(BytesIO(data)).getexif().get_ifd(0x8825)[1] == "N"
        for made in (prepare(data).original, prepare(data).preview):
            assert b"secret" not in made
            assert b"Exif" not in made
            assert b"2025:08:16" not in made
            assert not samples.unpacked(made).getexif()
            assert set(samples.codes(made)) <= OUR_CODES

    @pytest.mark.parametrize("tail", [b"<script>alert(1)</script>", b"PK\x03\x04secret", b"\xff\xd8\xff" + b"x" * 99])
    def test_a_file_that_is_two_things_at_once_becomes_one(self, tail: bytes) -> None:
        data = samples.packed(samples.corners()) + tail
        for made in (prepare(data).original, prepare(data).preview):
            assert tail not in made
            assert made.endswith(b"\xff\xd9")

    def test_html_in_a_comment_between_the_scans_is_gone(self) -> None:
        data = samples.packed(samples.photo(320, 200), progressive=True)
        at = data.rindex(b"\xff\xda")
        hidden = data[:at] + samples.part(0xFE, b"<script>") + samples.part(0xE1, b"Exif\0\0<script>") + data[at:]
        assert b"<script>" not in prepare(hidden).original
        assert prepare(hidden) == prepare(data)


class TestOriginal:
    @pytest.mark.parametrize("orientation", [1, 6])
    @pytest.mark.parametrize("subsampling", [0, 1, 2])
    def test_keeps_its_size_and_what_the_eye_sees(self, orientation: int, subsampling: int) -> None:
        data = samples.packed(
            samples.photo(1920, 1280), quality=80, subsampling=subsampling, exif=samples.exif(orientation)
        )
        before = ImageOps.exif_transpose(samples.unpacked(data))
        made = prepare(data).original
        after = samples.unpacked(made)
        assert after.size == before.size
        worst = max(abs(a - b) for a, b in zip(before.tobytes()[::97], after.tobytes()[::97], strict=True))
        assert worst <= 8
        assert len(made) < len(data) * 1.4

    def test_keeps_its_fineness_also_when_it_is_turned_on_its_side(self) -> None:
        lines = [[1 + row for row in range(8) for _ in range(8)], [9 + row for row in range(8) for _ in range(8)]]
        columns = [[1 + column for _ in range(8) for column in range(8)], [9 + c for _ in range(8) for c in range(8)]]
        for orientation, expected in ((1, lines), (3, lines), (6, columns), (8, columns)):
            data = samples.packed(samples.photo(640, 480), qtables=lines, quality=-1, exif=samples.exif(orientation))
            tables: Any = getattr(samples.unpacked(prepare(data).original), "quantization")  # noqa: B009 (JPEG's own)
            assert [list(tables[0]), list(tables[1])] == expected

    def test_stays_below_what_line_takes_even_when_it_grows(self) -> None:
        """Colours of print, packed coarsely, come out larger than they went in."""
        data = samples.packed(samples.noise(3200, 2100, "CMYK"), quality=10)
        assert len(data) <= LARGEST_UPLOAD
        made = prepare(data).original
        assert len(made) <= LARGEST_ORIGINAL
        assert samples.unpacked(made).size == (3200, 2100)


class TestPreview:
    @pytest.mark.parametrize(
        ("size", "preview"),
        [
            ((1, 1), (1, 1)),
            ((50, 1), (50, 1)),
            ((1080, 700), (1080, 700)),
            ((1081, 700), (1080, 699)),
            ((640, 480), (640, 480)),
            ((4000, 3000), (1080, 810)),
            ((5000, 100), (1080, 22)),
            ((2480, 3508), (1080, 1528)),
        ],
    )
    def test_is_1080_wide_and_never_enlarged(self, size: tuple[int, int], preview: tuple[int, int]) -> None:
        made = prepare(samples.packed(samples.photo(*size)))
        assert samples.unpacked(made.original).size == size
        assert samples.unpacked(made.preview).size == preview

    def test_of_a_photo_is_small(self) -> None:
        made = prepare(samples.packed(samples.photo(4000, 3000)))
        assert len(made.preview) < 200_000

    def test_of_pure_noise_is_below_a_million_bytes(self) -> None:
        data = samples.packed(samples.noise(1080, 3000), quality=75)
        made = prepare(data)
        assert LARGEST_PREVIEW == 1_000_000
        assert len(made.preview) <= LARGEST_PREVIEW
        assert samples.unpacked(made.preview).size[0] <= 1080

    def test_of_a_noisy_strip_of_twenty_screens_is_below_a_million_bytes_too(self) -> None:
        data = samples.packed(samples.noise(1080, 20_000), quality=5, subsampling=2)
        assert len(data) <= LARGEST_UPLOAD
        preview = prepare(data).preview
        width, height = samples.unpacked(preview).size
        assert len(preview) <= LARGEST_PREVIEW
        assert width < 1080
        assert height / width == pytest.approx(20_000 / 1080, rel=0.01)


class TestKinds:
    @pytest.mark.parametrize("progressive", [False, True])
    @pytest.mark.parametrize("mode", ["RGB", "L", "CMYK"])
    def test_every_kind_of_jpeg_is_taken(self, mode: str, progressive: bool) -> None:
        made = prepare(samples.packed(samples.corners(mode=mode), progressive=progressive, quality=95))
        for one in (made.original, made.preview):
            image = samples.unpacked(one)
            assert image.mode == ("L" if mode == "L" else "RGB")
            expected = quarters(samples.corners(mode="L" if mode == "L" else "RGB"))
            assert all(samples.near(left, right, 16) for left, right in zip(quarters(image), expected, strict=True))

    def test_of_a_camera_that_puts_two_pictures_in_one_file_the_first_is_taken(self) -> None:
        second = Image.new("RGB", (320, 192), (0, 0, 0))
        data = samples.packed(samples.corners(), format="MPO", save_all=True, append_images=[second])
        assert Image.open(BytesIO(data)).format == "MPO"
        made = prepare(data)
        assert all(
            samples.near(a, b, 16)
            for a, b in zip(quarters(samples.unpacked(made.original)), quarters(samples.corners()), strict=True)
        )
        assert made.original.count(b"\xff\xd8\xff") == 1
        assert len(made.original) < len(data)

    def test_restart_marks_are_fine(self) -> None:
        data = samples.packed(samples.photo(640, 480), restart_marker_rows=1)
        assert data.count(b"\xff\xd0") > 1
        assert samples.unpacked(prepare(data).original).size == (640, 480)


class TestColours:
    PROFILE = ImageCms.ImageCmsProfile(ImageCms.createProfile("sRGB")).tobytes()

    def test_the_original_keeps_its_profile_and_the_preview_needs_none(self) -> None:
        made = prepare(samples.packed(samples.corners(), icc_profile=self.PROFILE))
        assert samples.unpacked(made.original).info["icc_profile"] == self.PROFILE
        assert "icc_profile" not in samples.unpacked(made.preview).info
        shown = quarters(samples.unpacked(made.preview))
        assert all(samples.near(a, b, 16) for a, b in zip(shown, quarters(samples.corners()), strict=True))

    def test_a_profile_of_other_colours_changes_the_numbers_of_the_preview(self) -> None:
        """Red and blue exchanged: a screen without colour management would show the original wrongly."""
        exchanged = self.PROFILE.replace(b"rXYZ", b"tXYZ").replace(b"bXYZ", b"rXYZ").replace(b"tXYZ", b"bXYZ")
        made = prepare(samples.packed(Image.new("RGB", (64, 64), (255, 0, 0)), icc_profile=exchanged))
        original, preview = (samples.unpacked(one).getpixel((9, 9)) for one in (made.original, made.preview))
        assert samples.near(original, (255, 0, 0))
        assert samples.near(preview, (0, 0, 255))

    @pytest.mark.parametrize("profile", [b"", b"x" * 200, PROFILE[:300]])
    def test_a_broken_profile_is_left_out(self, profile: bytes) -> None:
        made = prepare(samples.packed(samples.corners(), icc_profile=profile))
        assert "icc_profile" not in samples.unpacked(made.original).info

    @pytest.mark.parametrize("mode", ["L", "CMYK"])
    def test_a_profile_for_other_channels_is_left_out(self, mode: str) -> None:
        made = prepare(samples.packed(samples.corners(mode=mode), icc_profile=self.PROFILE))
        assert "icc_profile" not in samples.unpacked(made.original).info
