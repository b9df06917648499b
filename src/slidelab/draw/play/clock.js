// The time that a game takes.

const now = () => performance.now();

export class Clock {
  constructor() {
    this.elapsed = 0; // milliseconds of play before `since`
    this.since = null; // when the clock was started; null while it stands
  }

  get total() {
    return this.elapsed + (this.since === null ? 0 : now() - this.since);
  }

  // Let the clock run or stand.
  set(runs) {
    if (runs && this.since === null) this.since = now();
    if (!runs && this.since !== null) {
      this.elapsed = this.total;
      this.since = null;
    }
  }

  reset(milliseconds = 0) {
    this.elapsed = Number.isFinite(milliseconds) && milliseconds > 0 ? milliseconds : 0;
    this.since = null;
  }

  // Minutes and seconds, and hours if there are any.
  get text() {
    const seconds = Math.floor(this.total / 1000), two = (value) => String(value).padStart(2, "0");
    const minutes = Math.floor(seconds / 60), hours = Math.floor(minutes / 60);
    return hours ? `${hours}:${two(minutes % 60)}:${two(seconds % 60)}` : `${minutes}:${two(seconds % 60)}`;
  }
}
