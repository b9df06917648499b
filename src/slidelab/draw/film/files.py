"""Film files: GIF and APNG by changed parts, MP4 by full frames."""

from __future__ import annotations

import struct
from collections.abc import Callable, Iterator
from pathlib import Path
from shutil import copyfileobj
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any, BinaryIO
from zlib import compress, crc32

from slidelab.budget import ProgressCallback
from slidelab.draw.film.frames import Film, Patch
from slidelab.draw.theme import Theme, mix

if TYPE_CHECKING:
    from PIL.Image import Image

__all__ = ["WRITERS"]

MAX_COLOURS = 255
"""Number of colours in a palette; one of 256 entries is transparent."""

MIN_EXACT_SHARE = 0.97
"""Share of pixels that the most frequent colours must cover; photographs have too many different ones."""

RESERVED_COLOURS = 16
"""Number of the most frequent colours (of tray, wells and paper) that a palette with a photograph keeps."""

CHUNK_COLOURS = 8_192
"""Number of colours that are compared with the palette at a time, some 25 MB."""

TRANSPARENT = 255
"""Palette entry through which the previous frame is seen."""


class _Palette:
    """The most frequent colours of the first picture; other colours are replaced by the closest.

    If these are not enough, because there is a photograph, colours are chosen by median cut. The colours of
    the progress bar, which is not visible in the first picture, are always included.
    """

    def __init__(self, picture: Image, theme: Theme) -> None:
        import numpy as np

        pixels = np.asarray(picture).reshape(-1, 3).astype(np.uint32)
        codes, counts = np.unique(pixels @ np.array([65536, 256, 1], dtype=np.uint32), return_counts=True)
        bar = [int(mix(theme.accent, theme.paper, share)[1:], 16) for share in (0.0, 0.25, 0.5, 0.75)]
        order = np.argsort(-counts, kind="stable")[:MAX_COLOURS]
        frequent = codes[order].tolist()
        if counts[order].sum() < MIN_EXACT_SHARE * len(pixels):
            frequent = frequent[:RESERVED_COLOURS] + _median_cut(
                picture, MAX_COLOURS - RESERVED_COLOURS - len(bar)
            )
        chosen = np.array(list(dict.fromkeys([*bar, *frequent]))[:MAX_COLOURS], dtype=np.uint32)
        self.colours = np.stack([chosen >> 16, chosen >> 8 & 255, chosen & 255], axis=1).astype(np.int32)
        self._index = np.full(1 << 24, -1, dtype=np.int16)
        self._index[chosen] = np.arange(len(chosen))

    def bytes(self) -> bytes:
        """Return 256 entries of red, green and blue."""
        entries = bytearray(768)
        entries[: 3 * len(self.colours)] = bytes(self.colours.reshape(-1).tolist())
        return bytes(entries)

    def convert(self, picture: Image, previous: Image | None = None) -> Image:
        """Return the picture in these colours, transparent where it equals the previous one."""
        import numpy as np
        from PIL import Image

        pixels = np.asarray(picture).astype(np.uint32) @ np.array([65536, 256, 1], dtype=np.uint32)
        new = np.unique(pixels[self._index[pixels] < 0])
        for first in range(0, len(new), CHUNK_COLOURS):
            codes = new[first : first + CHUNK_COLOURS]
            channels = np.stack([codes >> 16, codes >> 8 & 255, codes & 255], axis=1).astype(np.int32)
            distances = ((channels[:, None, :] - self.colours[None, :, :]) ** 2).sum(axis=2)
            self._index[codes] = distances.argmin(axis=1)
        indices = self._index[pixels].astype(np.uint8)
        if previous is not None:
            indices[(np.asarray(picture) == np.asarray(previous)).all(axis=2)] = TRANSPARENT
        image = Image.fromarray(indices)
        image.putpalette(self.bytes())
        return image


def _median_cut(picture: Image, count: int) -> list[int]:
    """Return colours that represent a picture well, as numbers."""
    from PIL.Image import Quantize

    reduced = picture.quantize(count, Quantize.MEDIANCUT)
    channels = (reduced.getpalette() or [])[: 3 * count]
    rows = zip(channels[::3], channels[1::3], channels[2::3], strict=True)
    return [red << 16 | green << 8 | blue for red, green, blue in rows]


def _indexed_patches(
    film: Film, progress: ProgressCallback | None
) -> Iterator[tuple[Patch, Image, _Palette]]:
    """Yield each patch with its image in palette colours; after the first, equal pixels are transparent."""
    palette: _Palette | None = None
    picture: Image | None = None
    for patch in film.patches(progress):
        if palette is None or picture is None:
            palette, picture = _Palette(patch.image, film.theme), patch.image.copy()
            yield patch, palette.convert(patch.image), palette
        else:
            previous = picture.crop(patch.box)
            picture.paste(patch.image, patch.box[:2])
            yield patch, palette.convert(patch.image, previous), palette


def _write_gif(film: Film, file: BinaryIO, progress: ProgressCallback | None) -> None:
    from PIL.GifImagePlugin import getdata

    for number, (patch, image, palette) in enumerate(_indexed_patches(film, progress)):
        if not number:
            size = film.width.to_bytes(2, "little") + film.height.to_bytes(2, "little")
            loop_forever = b"!\xff\x0bNETSCAPE2.0\x03\x01\x00\x00\x00"
            file.write(b"GIF89a" + size + b"\xf7\x00\x00" + palette.bytes() + loop_forever)
        milliseconds = patch.frames * 1000 // film.timing.fps
        transparency = {"transparency": TRANSPARENT} if number else {}
        for block in getdata(image, patch.box[:2], duration=milliseconds, disposal=1, **transparency):
            file.write(block)
    file.write(b";")


def _write_apng(film: Film, file: BinaryIO, progress: ProgressCallback | None) -> None:
    """Write a PNG of the first frame; further frames are chunks that other programs skip."""

    def chunk(name: bytes, data: bytes) -> None:
        file.write(struct.pack(">I", len(data)) + name + data + struct.pack(">I", crc32(name + data)))

    frames = 1 + film.solution.length * film.timing.moving
    sequence = 0  # chunks about frames are numbered consecutively
    for number, (patch, image, palette) in enumerate(_indexed_patches(film, progress)):
        if not number:
            file.write(b"\x89PNG\r\n\x1a\n")
            chunk(b"IHDR", struct.pack(">IIBBBBB", film.width, film.height, 8, 3, 0, 0, 0))
            chunk(b"acTL", struct.pack(">II", frames, 0))
            chunk(b"PLTE", palette.bytes())
            chunk(b"tRNS", b"\xff" * TRANSPARENT + b"\x00")
        box = (image.width, image.height, patch.left, patch.top)
        chunk(b"fcTL", struct.pack(">IIIIIHHBB", sequence, *box, patch.frames, film.timing.fps, 0, 1))
        rows = _compress_rows(image)
        if number:
            chunk(b"fdAT", struct.pack(">I", sequence + 1) + rows)
        else:
            chunk(b"IDAT", rows)
        sequence += 2 if number else 1
    chunk(b"IEND", b"")


def _compress_rows(image: Image) -> bytes:
    """Return the rows as PNG stores them: each after a byte for "no filter", then compressed."""
    import numpy as np

    return compress(np.pad(np.asarray(image), ((0, 0), (1, 0))).tobytes(), 6)


def _write_mp4(film: Film, file: BinaryIO, progress: ProgressCallback | None) -> None:
    import av

    with TemporaryDirectory() as folder:
        # With "faststart" browsers can play before all is loaded; it needs a second pass over a named file.
        name = Path(folder, "film.mp4")
        with av.open(str(name), "w", options={"movflags": "faststart"}) as container:
            stream: Any = container.add_stream("h264", rate=film.timing.fps)
            stream.width, stream.height, stream.pix_fmt = film.width, film.height, "yuv420p"
            stream.options = {"crf": "18", "preset": "veryfast", "tune": "animation"}
            picture: Image | None = None
            for patch in film.patches(progress):
                picture = patch.image.copy() if picture is None else picture
                picture.paste(patch.image, (patch.left, patch.top))
                frame = av.VideoFrame.from_image(picture)  # type: ignore[no-untyped-call, unused-ignore]
                for _ in range(patch.frames):
                    container.mux(stream.encode(frame))
            container.mux(stream.encode())
        with name.open("rb") as source:
            copyfileobj(source, file)


WRITERS: dict[str, Callable[[Film, BinaryIO, ProgressCallback | None], None]] = {
    "gif": _write_gif,
    "apng": _write_apng,
    "mp4": _write_mp4,
}
"""The writer of each film format."""
