// The board that somebody sees and touches: an SVG whose cells are the cells of a grid to a screen reader.
//
// Arrow keys move over the cells, Enter or Space touches one, Escape takes a choice back. A pointer
// touches by a click, or drags a piece to where it goes.
import type { GameInfo, Ground, Move, Position, Row } from "../api";
import { h, s, still } from "../dom";
import { candidates, nextCells, stepTo } from "../selection";
import { plural } from "../words";
import { dress } from "./colours";
import { Drag, nearest, onBoard } from "./drag";
import { frameFront, groundOf } from "./grounds";
import { type Layout, UNIT, drops, labelSize, layoutOf, neighbour, onCrossings, points, stickersOf } from "./layout";
import { aimMarks, chosenMarks, lastDots, lastMarks, legalMarks, thoughtMarks, variationMarks, winningMarks } from "./marks";
import { pencil } from "./paper";
import { bare, fences, isWall, slots, wallWords } from "./walls";
import { type Standing, draw, gradients, spoken, standing, sticker } from "./pieces";

export interface Handlers {
  touch: (cell: number) => void;
  /** a finger has touched a cell that is too small to be sure of */
  aim: (cell: number) => void;
  cancel: () => void;
  play: (move: Move) => void;
}

/** What the board shows besides the position. */
export interface Shown {
  /** whether somebody may play here now */
  open: boolean;
  prefix: number[];
  rows: Row[];
  variation: Move[];
  /** the cell that a finger has chosen and not confirmed */
  aimed: number | null;
  /** whether numbers are the first player's chances */
  pov: boolean;
  /** whether the cells that can be touched are left unmarked: all of them can */
  quiet?: boolean;
}

const KEYS: Record<string, [number, number]> = {
  ArrowUp: [-1, 0],
  ArrowDown: [1, 0],
  ArrowLeft: [0, -1],
  ArrowRight: [0, 1],
};

const MOVE_MS = 180;
/** pixels of a cell that a finger hits for sure */
export const FINGER = 40;

export class Board {
  readonly element: HTMLElement = h("div", { class: "board-holder" });
  private info: GameInfo | null = null;
  private flip = false;
  private layout!: Layout;
  private ground: Ground = "squares";
  private cells: SVGGElement[] = [];
  private under!: SVGGElement;
  private pieces!: SVGGElement;
  private over!: SVGGElement;
  private slots!: SVGGElement;
  private drawn: number[] = [];
  private focus = 0;
  private position: Position | null = null;
  private drag!: Drag;
  private next = new Set<number>();
  private byFinger = false;

  constructor(private readonly handlers: Handlers) {}

  /** Draw the empty board of a game. */
  set(info: GameInfo, flip: boolean): void {
    this.info = info;
    this.flip = flip && info.look.board.flip !== "never";
    this.ground = info.look.board.ground;
    this.layout = layoutOf(info, this.flip);
    this.drawn = [];
    this.cells = [];
    if (!this.layout.cells.includes(this.focus)) this.focus = this.layout.cells[0] ?? 0;
    const net = this.ground === "net";
    const { width, height, labels } = this.layout;
    this.under = s("g", { class: "under", "aria-hidden": true });
    this.pieces = s("g", { class: "pieces", "aria-hidden": true });
    this.over = s("g", { class: "over", "aria-hidden": true });
    this.slots = s("g", { class: "slots", "aria-hidden": true });
    const svg = s(
      "svg",
      {
        class: `board ground-${this.ground}${info.boards.length ? " several" : ""}${info.look.board.ghosts ? "" : " no-ghosts"}`,
        viewBox: `0 0 ${width.toFixed(0)} ${height.toFixed(0)}`,
        role: net ? "img" : "group",
        "aria-label": net ? `${info.title}, unfolded` : info.title,
        onkeydown: (event: KeyboardEvent) => this.key(event),
        onpointermove: (event: PointerEvent) => this.drag.pull(event),
        onpointerup: (event: PointerEvent) => this.drag.drop(event),
        onpointercancel: () => this.drag.release(),
        onpointerleave: () => this.drag.release(),
      },
      gradients(),
      s("g", { class: "ground", "aria-hidden": true }, ...groundOf(info, this.layout, this.flip)),
      this.under,
      this.pieces,
      drops(this.ground) && s("g", { class: "front", "aria-hidden": true }, ...frameFront(this.layout)),
      s(
        "g",
        { class: "labels", "aria-hidden": true },
        ...(net ? labels.map(({ x, y }) => s("circle", { class: "face-plate", cx: x, cy: y, r: 27 })) : []),
        ...labels.map((label) => s("text", { x: label.x, y: label.y, class: label.owner ?? "" }, label.text)),
      ),
      this.over,
      this.slots,
      !net && this.touchable(info),
    );
    this.drag = new Drag(svg, this.layout, this.pieces, this.handlers);
    svg.style.setProperty("--label-size", `${labelSize(info.columns, width)}px`);
    document.documentElement.style.setProperty("--aspect", String(width / height));
    this.element.replaceChildren(dress(svg, info.look));
  }

  /** Show a position of the game. */
  show(position: Position, shown: Shown): void {
    const info = this.info;
    if (!info) return;
    if (this.ground === "net") {
      this.unfold(info, position, shown.quiet === true);
      return;
    }
    const before = this.drawn.length ? this.drawn : null;
    const what = position.cells.map((code) => standing(info.look, info.symbols[code] ?? ".", position.first));
    const walled = this.layout.walls === true;
    this.place(walled ? { ...position, cells: position.cells.map((code) => bare(info, code)) } : position, what, before);
    this.position = position;
    const next = new Set(shown.open ? this.following(position.actions, shown.prefix) : []);
    this.slots.replaceChildren(...(shown.open ? slots(position.actions, this.layout, this.handlers.play) : []));
    const occupied = (cell: number) => what[cell]?.owner != null;
    const own = (cell: number) => what[cell]?.owner === (position.first ? "p1" : "p2");
    const round = onCrossings(this.ground);
    this.next = next;
    const marked = !shown.quiet && this.worthMarking(position, next, shown.prefix, what) ? next : [];
    this.under.replaceChildren(
      ...(this.ground === "paper" ? pencil(info, position, this.layout) : this.lastTurn(position)),
      ...chosenMarks(shown.prefix, this.layout, round),
      ...(walled ? fences(info, position.cells, position.last, this.layout) : []),
    );
    this.over.replaceChildren(
      ...((round && this.ground !== "paper") || drops(this.ground) ? lastDots(position.last, this.layout, (cell) => Boolean(what[cell]?.piece?.text)) : []),
      ...(shown.variation.length || shown.rows.length ? [] : legalMarks(marked, occupied, own, this.layout)),
      ...(shown.variation.length ? variationMarks(shown.variation, this.layout) : thoughtMarks(shown.rows, shown.pov, occupied, this.layout)),
      ...winningMarks(position.winning, this.layout),
      ...(shown.aimed === null ? [] : aimMarks(shown.aimed, this.layout)),
    );
    this.describe(info, position, what, next, shown);
  }

  /** The cells that can be touched next; where walls are put between cells, those that the pawn can go to. */
  private following(actions: Move[], prefix: number[]): Iterable<number> {
    if (!this.layout.walls || prefix.length) return nextCells(actions, prefix);
    return this.layout.cells.filter((cell) => stepTo(actions, cell));
  }

  private lastTurn({ last, changed }: Position): SVGElement[] {
    const moves = last.filter((move) => !isWall(this.layout, move.path));
    return lastMarks(moves, moves.length === last.length ? changed : [], this.layout, this.ground === "tiles");
  }

  /** Put the keyboard on the board. */
  take(): void {
    this.cells[this.focus]?.focus();
  }

  /** A cube is its stickers, which the text of the state says; its moves have buttons. */
  private unfold(info: GameInfo, position: Position, edited: boolean): void {
    this.position = position;
    this.pieces.replaceChildren(
      ...stickersOf(position.state).map((face, cell) => {
        const { x, y } = this.layout.centre(cell);
        const touched = edited ? { class: "edited", onclick: () => this.handlers.touch(cell) } : {};
        return s("g", { transform: `translate(${x} ${y})`, ...touched }, sticker(face, info.look.pieces[face]));
      }),
    );
  }

  // Cells

  private touchable(info: GameInfo): SVGGElement {
    this.cells = [];
    const rows = new Map<number, SVGGElement>();
    for (const cell of this.layout.cells) {
      const { x, y } = this.layout.centre(cell);
      const element = s(
        "g",
        {
          class: "cell",
          role: "gridcell",
          tabindex: cell === this.focus ? 0 : -1,
          "data-cell": cell,
          onclick: (event: MouseEvent) => this.click(event, cell),
          onpointerdown: (event: PointerEvent) => this.grab(event, cell),
          onfocus: () => this.rove(cell),
        },
        s("circle", { class: "ghost", cx: x, cy: y, r: this.layout.radius }),
        s("polygon", { class: "hit", points: points(this.layout.outline(cell)) }),
      );
      this.cells[cell] = element;
      const row = Math.floor(cell / info.columns);
      if (!rows.has(row)) rows.set(row, s("g", { role: "row" }));
      rows.get(row)?.append(element);
    }
    const label = `${plural(info.rows, "row")} and ${plural(info.columns, "column")}`;
    return s("g", { class: "cells", role: "grid", "aria-label": label }, ...rows.values());
  }

  private describe(info: GameInfo, position: Position, what: Standing[], next: Set<number>, shown: Shown): void {
    const { first, second } = info.look.players;
    const names = { p1: first.toLowerCase() || "first player", p2: second.toLowerCase() || "second player" };
    this.cells.forEach((element, cell) => {
      const legal = next.has(cell);
      const name = `${info.column_names[cell % info.columns]}${info.row_names[Math.floor(cell / info.columns)]}`;
      const words = [name, spoken(what[cell] as Standing, names)];
      if (this.layout.walls) words.push(...wallWords(info.symbols[position.cells[cell] as number] ?? ""));
      if (legal) words.push("can be played");
      if (shown.prefix.includes(cell)) words.push("chosen");
      element.setAttribute("aria-label", words.join(", "));
      element.setAttribute("aria-selected", String(shown.prefix.includes(cell)));
      const ghost = legal && what[cell]?.owner == null;
      if (drops(this.ground)) this.widen(element, cell, legal);
      const mine = what[cell]?.owner === (position.first ? "p1" : "p2");
      const kinds = ["cell", mine && "mine", legal && "playable", legal && this.grabbable(cell) && "grabbable"];
      if (ghost) kinds.push("ghosted", position.first ? "p1" : "p2");
      element.setAttribute("class", kinds.filter(Boolean).join(" "));
    });
  }

  /** Where stones drop, the whole column is the cell that they land on. */
  private widen(element: SVGGElement, cell: number, legal: boolean): void {
    const { x } = this.layout.centre(cell);
    const column = [
      { x: x - 50, y: 0 },
      { x: x + 50, y: 0 },
      { x: x + 50, y: this.layout.height },
      { x: x - 50, y: this.layout.height },
    ];
    element.lastElementChild?.setAttribute("points", points(legal ? column : this.layout.outline(cell)));
  }

  /** Marks help where they tell something: not if nearly every empty cell is legal. */
  private worthMarking({ actions }: Position, next: Set<number>, prefix: number[], what: Standing[]): boolean {
    if (prefix.length) return true;
    if (drops(this.ground)) return false;
    const empty = this.layout.cells.filter((cell) => what[cell]?.symbol === "").length;
    const onPieces = [...next].some((cell) => what[cell]?.owner != null);
    // Pieces are marked where choosing one is an action, and not where each is the beginning of several.
    return onPieces ? actions.every((move) => move.path.length < 2) : next.size < empty * 0.7;
  }

  // Pieces

  private place(position: Position, what: Standing[], before: number[] | null): void {
    const motion = before !== null && !still();
    const came = position.last.at(-1);
    what.forEach((standingHere, cell) => {
      const code = position.cells[cell] as number;
      if (before && before[cell] === code && !standingHere.acting) return;
      this.pieces.querySelector(`[data-at="${cell}"]`)?.remove();
      const piece = draw(standingHere, this.layout);
      if (!piece) return;
      const { x, y } = this.layout.centre(cell);
      const holder = s("g", { "data-at": cell, transform: `translate(${x.toFixed(1)} ${y.toFixed(1)})` }, piece);
      this.pieces.append(holder);
      if (motion && before[cell] !== code) this.animate(piece, cell, came, standingHere);
    });
    this.drawn = [...position.cells];
  }

  private animate(piece: SVGElement, cell: number, came: Move | undefined, what: Standing): void {
    const target = this.layout.centre(cell);
    const moving = piece.querySelector(".piece") ?? piece;
    if (came && came.path.length > 1 && came.path.at(-1) === cell && what.owner) {
      const from = this.layout.centre(came.path[0] as number);
      const offset = `translate(${from.x - target.x}px, ${from.y - target.y}px)`;
      moving.animate({ transform: [offset, "none"] }, { duration: MOVE_MS, easing: "ease-out" });
    } else if (drops(this.ground) && what.owner) {
      const height = target.y + 60;
      moving.animate(
        { transform: [`translateY(${-height}px)`, "none"] },
        { duration: 120 + height * 0.42, easing: "cubic-bezier(.5,0,.9,.6)" },
      );
    } else {
      piece.animate({ transform: ["scale(.4)", "none"], opacity: [0, 1] }, { duration: MOVE_MS, easing: "ease-out" });
    }
  }

  // Pointer and keyboard

  /** Whether a cell begins an action that ends elsewhere. */
  private grabbable(cell: number): boolean {
    return candidates(this.position?.actions ?? [], [cell]).some((move) => move.path.length > 1);
  }

  /** How wide a cell is on the screen; where nothing is touched, as wide as one likes. */
  get cellPixels(): number {
    const touched = this.svg && this.ground !== "net" && !drops(this.ground);
    return touched ? (UNIT * (this.svg?.getBoundingClientRect().width ?? 0)) / this.layout.width : Number.POSITIVE_INFINITY;
  }

  private get svg(): SVGSVGElement | null {
    return this.element.querySelector("svg");
  }

  /** A touch: a finger on small cells points at the nearest one that can be played, and plays when it confirms. */
  private click(event: MouseEvent, cell: number): void {
    const at = this.svg && onBoard(event, this.svg, this.layout);
    if (!at || !this.byFinger || UNIT / at.scale >= FINGER || drops(this.ground)) {
      this.handlers.touch(cell);
      return;
    }
    this.handlers.aim(nearest(this.layout, this.next, at, 1.5 * UNIT) ?? cell);
  }

  private grab(event: PointerEvent, cell: number): void {
    this.byFinger = event.pointerType === "touch";
    this.drag.grab(event, this.next.size && this.grabbable(cell) ? cell : null);
  }

  private rove(cell: number): void {
    this.cells[this.focus]?.setAttribute("tabindex", "-1");
    this.focus = cell;
    this.cells[cell]?.setAttribute("tabindex", "0");
  }

  private key(event: KeyboardEvent): void {
    const info = this.info;
    if (!info || event.ctrlKey || event.metaKey || event.altKey) return;
    const by = KEYS[event.key];
    if (by) {
      const next = neighbour(info, this.focus, by, this.flip);
      if (next !== null) {
        this.rove(next);
        this.take();
      }
    } else if (event.key === "Enter" || event.key === " ") this.handlers.touch(this.focus);
    else if (event.key === "Escape") this.handlers.cancel();
    else return;
    event.preventDefault();
    event.stopPropagation();
  }
}
