"""Films as files: GIF and APNG frame by changed frame, MP4 picture by picture."""

from __future__ import annotations

import struct
from collections.abc import Callable, Iterator
from pathlib import Path
from shutil import copyfileobj
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any, BinaryIO
from zlib import compress, crc32

from slidelab.draw.film.animation import Film, Patch, Progress
from slidelab.draw.theme import Theme, mix

if TYPE_CHECKING:
    from PIL.Image import Image

__all__ = ["WRITERS"]

CLEAR = 255  # the colour that lets the frame before be seen


class _Palette:
    """At most 255 colours, the most frequent ones of the first picture; others become the nearest.

    The line that grows below the counter is not to be seen yet: its colours come first.
    """

    def __init__(self, picture: Image, theme: Theme) -> None:
        import numpy as np

        pixels = np.asarray(picture).reshape(-1, 3).astype(np.uint32)
        codes, counts = np.unique(pixels @ np.array([65536, 256, 1], dtype=np.uint32), return_counts=True)
        grows = [int(mix(theme.accent, theme.paper, share)[1:], 16) for share in (0.0, 0.25, 0.5, 0.75)]
        frequent = codes[np.argsort(-counts, kind="stable")[:255]].tolist()
        best = np.array(list(dict.fromkeys([*grows, *frequent]))[:255], dtype=np.uint32)
        self.colours = np.stack([best >> 16, best >> 8 & 255, best & 255], axis=1).astype(np.int32)
        self._index = np.full(1 << 24, -1, dtype=np.int16)
        self._index[best] = np.arange(len(best))

    def bytes(self) -> bytes:
        full = bytearray(768)
        full[: 3 * len(self.colours)] = bytes(self.colours.reshape(-1).tolist())
        return bytes(full)

    def image(self, picture: Image, before: Image | None = None) -> Image:
        """The picture in these colours; what is as in the one before may be seen through (colour 255)."""
        import numpy as np
        from PIL import Image

        pixels = np.asarray(picture).astype(np.uint32) @ np.array([65536, 256, 1], dtype=np.uint32)
        new = np.unique(pixels[self._index[pixels] < 0])
        if len(new):
            wanted = np.stack([new >> 16, new >> 8 & 255, new & 255], axis=1).astype(np.int32)
            apart = ((wanted[:, None, :] - self.colours[None, :, :]) ** 2).sum(axis=2)
            self._index[new] = apart.argmin(axis=1)
        indices = self._index[pixels].astype(np.uint8)
        if before is not None:
            same = (np.asarray(picture) == np.asarray(before)).all(axis=2)
            indices[same] = CLEAR
        out = Image.fromarray(indices)
        out.putpalette(self.bytes())
        return out


def _in_colours(film: Film, progress: Progress | None) -> Iterator[tuple[Patch, Image, _Palette]]:
    """Each patch with its pixels in one table of colours; what did not change is clear, after the first."""
    palette: _Palette | None = None
    whole: Image | None = None
    for patch in film.patches(progress):
        if palette is None or whole is None:
            palette, whole = _Palette(patch.image, film.theme), patch.image.copy()
            yield patch, palette.image(patch.image), palette
        else:
            before = whole.crop(patch.box)
            whole.paste(patch.image, patch.box[:2])
            yield patch, palette.image(patch.image, before), palette


def _write_gif(film: Film, file: BinaryIO, progress: Progress | None) -> None:
    from PIL.GifImagePlugin import getdata

    for number, (patch, image, palette) in enumerate(_in_colours(film, progress)):
        if not number:
            size = film.width.to_bytes(2, "little") + film.height.to_bytes(2, "little")
            forever = b"!\xff\x0bNETSCAPE2.0\x03\x01\x00\x00\x00"
            file.write(b"GIF89a" + size + b"\xf7\x00\x00" + palette.bytes() + forever)
        milliseconds = patch.frames * 1000 // film.timing.fps
        clear = {"transparency": CLEAR} if number else {}
        for block in getdata(image, patch.box[:2], duration=milliseconds, disposal=1, **clear):
            file.write(block)
    file.write(b";")


def _write_apng(film: Film, file: BinaryIO, progress: Progress | None) -> None:
    """A PNG of the first frame; each further one is a chunk that older programs skip."""

    def chunk(name: bytes, data: bytes) -> None:
        file.write(struct.pack(">I", len(data)) + name + data + struct.pack(">I", crc32(name + data)))

    frames = 1 + film.solution.length * film.timing.moving
    turn = 0  # chunks about frames are numbered through
    for number, (patch, image, palette) in enumerate(_in_colours(film, progress)):
        if not number:
            file.write(b"\x89PNG\r\n\x1a\n")
            chunk(b"IHDR", struct.pack(">IIBBBBB", film.width, film.height, 8, 3, 0, 0, 0))
            chunk(b"acTL", struct.pack(">II", frames, 0))
            chunk(b"PLTE", palette.bytes())
            chunk(b"tRNS", b"\xff" * CLEAR + b"\x00")
        place = (image.width, image.height, patch.left, patch.top)
        chunk(b"fcTL", struct.pack(">IIIIIHHBB", turn, *place, patch.frames, film.timing.fps, 0, 1))
        rows = _packed_rows(image)
        if number:
            chunk(b"fdAT", struct.pack(">I", turn + 1) + rows)
        else:
            chunk(b"IDAT", rows)
        turn += 2 if number else 1
    chunk(b"IEND", b"")


def _packed_rows(image: Image) -> bytes:
    """The rows of a picture as PNG has them: each behind a byte that says "as it is", then packed."""
    import numpy as np

    pixels = np.asarray(image)
    return compress(np.pad(pixels, ((0, 0), (1, 0))).tobytes(), 6)


def _write_mp4(film: Film, file: BinaryIO, progress: Progress | None) -> None:
    import av

    with TemporaryDirectory() as folder:
        # The table of contents is to come first, so that a browser can begin at once: that takes a second
        # pass over the file, for which it must have a name.
        name = Path(folder, "film.mp4")
        with av.open(str(name), "w", options={"movflags": "faststart"}) as container:
            stream: Any = container.add_stream("h264", rate=film.timing.fps)
            stream.width, stream.height, stream.pix_fmt = film.width, film.height, "yuv420p"
            stream.options = {"crf": "18", "preset": "veryfast", "tune": "animation"}
            for image, frames in _full_frames(film, progress):
                frame = av.VideoFrame.from_image(image)  # type: ignore[no-untyped-call, unused-ignore]
                for _ in range(frames):
                    container.mux(stream.encode(frame))
            container.mux(stream.encode())
        with name.open("rb") as made:
            copyfileobj(made, file)


def _full_frames(film: Film, progress: Progress | None) -> Iterator[tuple[Image, int]]:
    """Whole pictures, each with the number of frames for which it stays."""
    whole: Image | None = None
    for patch in film.patches(progress):
        if whole is None:
            whole = patch.image.copy()
        else:
            whole.paste(patch.image, (patch.left, patch.top))
        yield whole.copy(), patch.frames


WRITERS: dict[str, Callable[[Film, BinaryIO, Progress | None], None]] = {
    "gif": _write_gif,
    "apng": _write_apng,
    "mp4": _write_mp4,
}
