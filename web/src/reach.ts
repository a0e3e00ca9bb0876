// Whether the server can be reached. If it can't, it is asked again by and by.
import { Lost, Refused } from "./api";

const AGAIN_MS = [500, 1000, 2000, 4000, 8000];

export class Reach {
  /** whether the server has not answered: nothing can be played until it does */
  failed = false;
  private failures = 0;
  private timer: number | undefined;

  constructor(private readonly retry: () => void) {
    const now = () => this.failed && this.retry();
    window.addEventListener("online", now);
    document.addEventListener("visibilitychange", () => document.hidden || now());
  }

  /** Don't ask again: somebody asks already. */
  wait(): void {
    clearTimeout(this.timer);
  }

  /** Something can be played again, as far as is known: a position that was seen before needs no server. */
  answered(): void {
    this.failed = false;
  }

  /** Do what asks the server. If it refuses and somebody still wants to know, they are told why. */
  async guard(act: () => Promise<void>, wanted: () => boolean, told: (sentence: string) => void): Promise<void> {
    try {
      await act();
      this.failures = 0;
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
      if (!wanted()) return;
      this.failed = true;
      if (error instanceof Lost) {
        const wait = AGAIN_MS[Math.min(this.failures++, AGAIN_MS.length - 1)];
        clearTimeout(this.timer);
        this.timer = window.setTimeout(this.retry, wait);
      }
      told(error.message);
    }
  }
}
