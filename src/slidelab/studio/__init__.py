"""The studio: a page on which puzzles are built, played, explained and solved, and its local server.

`server` runs it and `app` has the routes. Whatever takes time is done by `worker` processes, which `pool`
starts, limits and kills; `jobs` keeps the events of long tasks. `guard` decides which requests are answered
at all. What workers do is in `answers` (while the page waits) and `tasks` (as jobs); `sources` reads puzzles
from strangers. The page itself is in the folder ``page``. See docs/design/studio.md.
"""
