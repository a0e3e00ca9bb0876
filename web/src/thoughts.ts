// Who thinks about a position, for how long, and what of it is shown while it goes on.
import type { GameInfo, Move, Row, Thought } from "./api";
import { Analysis } from "./analysis";
import type { Clock } from "./clock";
import { FRIEND } from "./friend";
import type { Agent, Match, Node } from "./match";
import { defaultAgent } from "./setup";
import { Thinker } from "./thinker";

/** the part of its time that an agent takes for an action at most */
const HASTE = 20;

/** Who thinks for people: their opponent, or whoever there is. */
export function adviser({ setup }: Match, info: GameInfo): Agent {
  const agent = setup.second ?? setup.first;
  return !agent || agent.player === "random" || agent.player === FRIEND.player ? defaultAgent(info) : agent;
}

/** What an agent may use for an action: its level, and no more than a part of its clock. */
export function limits({ effort }: Agent, clock: Clock | null, first: boolean): Agent["effort"] {
  if (!clock) return effort;
  const most = Math.max(0.05, clock.of(first) / HASTE);
  return { ...effort, seconds: Math.min(effort.seconds ?? most, most) };
}

export interface Asked {
  match: Match;
  agent: Agent;
  purpose: "move" | "analyse";
  limits: Agent["effort"];
  /** whether the candidates are marked on the board */
  marked: boolean;
  /** whose chances all the numbers are, and how the sides are called */
  pov: boolean;
  name: (first: boolean) => string;
  /** whether the answer is still of interest */
  wanted: () => boolean;
}

export interface ThoughtsHandlers {
  /** there is something new to show on the board */
  changed: () => void;
  play: (move: Move) => void;
}

export class Thoughts {
  /** the candidates that are marked on the board */
  rows: Row[] = [];
  /** the variation that somebody points at */
  variation: Move[] = [];
  /** the position that they are about */
  private about: Node | null = null;
  private readonly thinker = new Thinker();
  private readonly panel: Analysis;

  constructor(private readonly handlers: ThoughtsHandlers) {
    this.panel = new Analysis({
      hover: (variation) => {
        this.variation = variation;
        this.handlers.changed();
      },
      play: (move) => this.handlers.play(move),
    });
  }

  /** Forget all: a new match begins. */
  clear(): void {
    this.about = null;
    this.panel.clear("Press Analyse to see what the agent thinks of this position.");
  }

  /** Stop, and show nothing of it on the board. */
  drop(): void {
    this.thinker.stop();
    this.rows = [];
    this.variation = [];
  }

  stop(): void {
    this.thinker.stop();
  }

  /** Stop, and answer with what was found so far. */
  answerNow(): void {
    this.thinker.stop(true);
  }

  isAbout(node: Node): boolean {
    return this.about === node;
  }

  /** The last thought about the position that is shown; null if nobody wants it any more. */
  async ask({ match, agent, purpose, limits, marked, pov, name, wanted }: Asked): Promise<Thought | null> {
    const { node } = match;
    const show = (thought: Thought) => {
      if (!wanted()) return;
      this.about = node;
      this.panel.show(thought, { ply: node.ply, pov, name });
      if (thought.value !== null) node.evaluation = { share: thought.share, outcome: thought.outcome };
      this.rows = marked ? thought.rows : [];
      this.handlers.changed();
    };
    this.panel.begin();
    const answer = await this.thinker.think({ ...match.where(), player: agent.player, purpose, ...limits }, show);
    if (!answer || !wanted()) return null;
    show(answer);
    return answer;
  }
}
