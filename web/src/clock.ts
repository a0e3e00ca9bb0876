// A clock for both sides: each has its time for the whole match, and some more with every turn.

export interface Times {
  first: number;
  second: number;
}

export class Clock {
  private running: boolean | null = null;
  private since = 0;

  /** The seconds left, and those that a turn adds. */
  constructor(
    private readonly left: Times,
    private readonly plus: number,
    private readonly now: () => number = () => performance.now() / 1000,
  ) {}

  /** The seconds that a side has left now. */
  of(first: boolean): number {
    const spent = this.running === first ? this.now() - this.since : 0;
    return Math.max(0, (first ? this.left.first : this.left.second) - spent);
  }

  times(): Times {
    return { first: this.of(true), second: this.of(false) };
  }

  /** Let the time of a side run; null: of none. A side whose turn ends gets its addition. */
  run(first: boolean | null): void {
    const before = this.running;
    if (before === first) return;
    if (before !== null) {
      const left = this.of(before);
      this.left[before ? "first" : "second"] = left + (first !== null && left > 0 ? this.plus : 0);
    }
    this.running = first;
    this.since = this.now();
  }

  /** The side that has used up its time, or null. */
  fallen(): boolean | null {
    return this.of(true) === 0 ? true : this.of(false) === 0 ? false : null;
  }
}

/** Seconds as people read a clock: 4:05, and tenths at the end. */
export function clockText(seconds: number): string {
  if (seconds < 10) return (Math.floor(seconds * 10) / 10).toFixed(1);
  const whole = Math.floor(seconds);
  return `${Math.floor(whole / 60)}:${String(whole % 60).padStart(2, "0")}`;
}
