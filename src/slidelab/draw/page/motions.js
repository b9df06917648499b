// Motions of pieces: where the centres of the cells of a piece are during a move.

const interpolate = (a, b, share) => [a[0] + (b[0] - a[0]) * share, a[1] + (b[1] - a[1]) * share];

const rotate = (p, x, y, angle) => {
  const cos = Math.cos(angle), sin = Math.sin(angle), dx = p[0] - x, dy = p[1] - y;
  return [x + dx * cos - dy * sin, y + dx * sin + dy * cos];
};

export const ease = (time) => time * time * (3 - 2 * time);

// The centres of a piece's cells at a time from 0 to 1, between the points `from` and `to`. The curve has no
// numbers if it is straight, two for a midpoint, three for the centre and angle of a rotation, four if only one
// cell of the piece rotates.
export function pointsAt(from, to, curve, time) {
  if (curve.length === 2) {
    return [time < 0.5 ? interpolate(from[0], curve, 2 * time) : interpolate(curve, to[0], 2 * time - 1)];
  }
  if (curve.length >= 3) {
    const [x, y, angle, swings] = curve;
    return from.map((p, k) => (swings === undefined || k === swings ? rotate(p, x, y, angle * time) : p));
  }
  return from.map((p, k) => interpolate(p, to[k], time));
}
