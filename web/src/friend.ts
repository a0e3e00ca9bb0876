// A match with a friend on another page: both ask the server what is new, and send what they have played.
import { Lost, type Move, Refused, type Room, api } from "./api";
import { h } from "./dom";
import type { Match } from "./match";

const EVERY_MS = 1000;

/** Who decides for the other side, as the table sees it. */
export const FRIEND = { player: "friend", title: "Your friend", effort: { seconds: null, iterations: null } };

export const friendLink = (seat: string): string => `#friend=${seat}`;

/** The seat that a link gives, or null if it is none of a friend. */
export const readFriend = (hash: string): string | null => /^#friend=([A-Za-z0-9_-]+)$/.exec(hash)?.[1] ?? null;

/** What a friend at another machine needs besides the link, if the page is at this address. */
export function forFar(hostname: string): (HTMLElement | string)[] {
  const here = ["127.0.0.1", "localhost", "[::1]"].includes(hostname);
  return here
    ? ["Only this computer can reach the server. To let others in, start it with ", h("code", {}, "glaux serve --host 0.0.0.0"), "."]
    : ["If the server has a token, your friend first opens the link that ", h("code", {}, "glaux serve"), " printed."];
}

export interface FriendHandlers {
  /** the friend has played */
  played: (move: Move) => void;
  resigned: (first: boolean) => void;
  /** what there is to say of the other page */
  told: (sentence: string) => void;
}

export class Friend {
  private timer: number | undefined;
  private over = false;
  /** whether the room does not know yet that this side has resigned */
  private resigned = false;

  constructor(
    private readonly seat: string,
    private readonly match: Match,
    private readonly handlers: FriendHandlers,
  ) {
    void this.look();
  }

  close(): void {
    this.over = true;
    clearTimeout(this.timer);
  }

  /** Give up: at once or, if the server can't be reached, as soon as it can. */
  async resign(): Promise<void> {
    this.resigned = true;
    try {
      await this.leave();
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
    }
  }

  private async leave(): Promise<void> {
    await api.leaveRoom(this.seat);
    this.resigned = false;
  }

  /** Bring both pages to the same moves: send what the room lacks, take what it has more. */
  private async look(): Promise<void> {
    let room: Room | null = null;
    try {
      room = await api.room(this.seat, this.match.length);
      if (!this.over && room.resigned === null) await this.send(room);
      if (this.over) return;
      for (const move of room.moves) this.handlers.played(move);
      if (room.resigned !== null && this.match.ended === null) this.handlers.resigned(room.resigned);
      const away = room.count ? "Your friend is away." : "Waiting for your friend to open the link.";
      this.handlers.told(room.present ? "Your friend is here." : away);
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
      if (this.over) return;
      this.handlers.told(error.message);
      if (!room && !(error instanceof Lost)) this.over = true; // the room is gone
    }
    if (!this.over) this.timer = window.setTimeout(() => void this.look(), EVERY_MS);
  }

  private async send(room: Room): Promise<void> {
    const { moves } = this.match;
    for (let ply = room.count; ply < moves.length; ply++) await api.playInRoom(this.seat, ply, (moves[ply] as Move).action);
    if (this.resigned) await this.leave();
  }
}
