// Pieces on the screen: groups of parts that are positioned by the cells of the piece.

const roundPixels = (value) => Math.round(value * 100) / 100;

// The pieces of a drawing: their elements, and how their parts are positioned.
export function readPieces(layer, data) {
  return Array.from(layer.children, (group, number) => ({
    group,
    parts: Array.from(group.children).filter((child) => child.localName !== "title"),
    assembly: data.assemblies[data.assemblyOf[number]],
    form: "",
  }));
}

// The group is shifted to the first cell; its parts move within it only if the piece turns or bends.
export function placePiece(piece, points, unit) {
  const [x, y] = points[0];
  piece.group.setAttribute("transform", `translate(${roundPixels(x)} ${roundPixels(y)})`);
  if (points.length === 1) return;
  const relative = points.map((p) => [p[0] - x, p[1] - y]);
  const form = relative.map((p) => `${p[0].toFixed(2)} ${p[1].toFixed(2)}`).join();
  if (form === piece.form) return;
  piece.form = form;
  piece.parts.forEach((part, k) => part.setAttribute("transform", partTransform(piece.assembly[k], relative, unit)));
}

function partTransform([cell, toward, drop, stretches], points, unit) {
  const [x, y] = points[cell];
  const shift = `translate(${roundPixels(x)} ${roundPixels(y + drop)})`;
  if (toward < 0) return shift;
  const dx = points[toward][0] - x, dy = points[toward][1] - y;
  const angle = Math.atan2(dy, dx) * 180 / Math.PI, distance = Math.hypot(dx, dy) / unit;
  const scale = stretches && Math.abs(distance - 1) > 0.001 ? ` scale(${distance.toFixed(4)} 1)` : "";
  return `${shift} rotate(${angle.toFixed(3)})${scale}`;
}
