// Time at the table: whose clock runs, and whose time is up.
import { Clock, type Times } from "./clock";
import type { Setup } from "./match";
import { showClocks } from "./seats";

const TICK_MS = 100;

/** What the time depends on. */
export interface Timed {
  /** whose time runs, null for nobody's; undefined while that is not known, and the clocks go on as they did */
  running: () => boolean | null | undefined;
  flipped: () => boolean;
  /** a side has used up its time */
  fallen: (first: boolean) => void;
}

export class Timing {
  /** null in a match without clocks */
  clock: Clock | null = null;

  constructor(private readonly table: Timed) {
    setInterval(() => this.tick(), TICK_MS);
  }

  /** A match begins, or goes on with these times. */
  begin({ clock }: Setup, times?: Times | null): void {
    this.clock = clock && new Clock(times ?? { first: clock.seconds, second: clock.seconds }, clock.plus);
  }

  /** Let time run for who is to move, and end the match of who has none left. */
  tick(): void {
    const { clock, table } = this;
    const running = clock ? table.running() : undefined;
    if (!clock || running === undefined) return;
    clock.run(running);
    const fallen = running === null ? null : clock.fallen();
    if (fallen !== null) table.fallen(fallen);
    showClocks(clock, table.flipped());
  }
}
