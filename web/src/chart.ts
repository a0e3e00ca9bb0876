// Small charts as SVG: lines over a horizontal axis, with bands, marks and a reading under the pointer.
import { h, s } from "./dom";

export interface Series {
  name: string;
  x: number[];
  y: number[];
  low?: number[];
  high?: number[];
  style: string;
}

export interface ChartOptions {
  label: string;
  height: number;
  y: [number, number];
  /** lines across, with their texts */
  ticks: { at: number; text: string }[];
  xText: (x: number) => string;
  yText: (y: number) => string;
  x?: [number, number];
  /** where the horizontal axis has its texts; at round numbers if it is not said */
  xTicks?: number[];
  /** a vertical line that says where one is */
  cursor?: number | null;
  /** fill between a line and this value */
  base?: number;
  dots?: boolean;
  pick?: (x: number) => void;
}

const WIDTH = 600;
const PAD = { left: 4, right: 68, top: 10, bottom: 30 };

/** Numbers at even, round distances that cover a range. */
export function roundTicks(low: number, high: number, count: number): number[] {
  const span = high - low;
  if (!(span > 0) || !Number.isFinite(span)) return [low];
  const raw = span / count;
  const power = 10 ** Math.floor(Math.log10(raw));
  const step = ([1, 2, 5, 10].find((k) => k * power >= raw) ?? 10) * power;
  const ticks: number[] = [];
  for (let i = Math.ceil(low / step - 1e-9); i * step <= high + step * 1e-9; i++) ticks.push(i * step + 0); // never -0
  return ticks;
}

/** A linear map from one range to another. */
export function scale(from: [number, number], to: [number, number]): (value: number) => number {
  const span = from[1] - from[0] || 1;
  return (value) => to[0] + ((value - from[0]) / span) * (to[1] - to[0]);
}

/** A line with one point for each x, the mean of those that it had: matches that are played together end together. */
export function merged(x: number[], y: number[]): { x: number[]; y: number[] } {
  const at = new Map<number, number[]>();
  x.forEach((one, i) => at.set(one, [...(at.get(one) ?? []), y[i] as number]));
  const mean = (list: number[]): number => list.reduce((sum, one) => sum + one, 0) / list.length;
  return { x: [...at.keys()], y: [...at.values()].map(mean) };
}

/** The index of the value nearest to x in ascending values. */
export function nearest(values: number[], x: number): number {
  let best = 0;
  values.forEach((value, i) => {
    if (Math.abs(value - x) < Math.abs((values[best] ?? 0) - x)) best = i;
  });
  return best;
}

const clip = (value: number, [low, high]: [number, number]): number => Math.max(low, Math.min(high, value));

/** The top of an axis from 0 that shows most of some values well: a few that stick out are cut off. */
export function roomyTop(values: number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const most = sorted.at(-1) ?? 1;
  const usual = (sorted[Math.floor(0.95 * (sorted.length - 1))] ?? 1) * 1.5;
  return (most > 2 * usual ? usual : most) || 1;
}

/** Times in one unit that suits the whole axis. */
export function timeText(seconds: number): (at: number) => string {
  const [unit, name] = seconds < 120 ? [1, "s"] : seconds < 7200 ? [60, "min"] : [3600, "h"];
  return (at) => `${Number((at / (unit as number)).toPrecision(3))} ${name}`;
}

/** Round steps of an axis in seconds. */
export function timeTicks(seconds: number): number[] {
  const unit = seconds < 120 ? 1 : seconds < 7200 ? 60 : 3600;
  return roundTicks(0, seconds / unit, 5).map((at) => at * unit);
}

const line = (xs: number[], ys: number[]): string =>
  xs.map((x, i) => `${i ? "L" : "M"}${x.toFixed(1)} ${(ys[i] ?? 0).toFixed(1)}`).join("");

export function chart(series: Series[], options: ChartOptions): HTMLElement {
  const all = series.flatMap((one) => one.x);
  const range: [number, number] = options.x ?? [Math.min(...all, 0), Math.max(...all, 1)];
  const x = scale(range, [PAD.left, WIDTH - PAD.right]);
  const y = scale(options.y, [options.height - PAD.bottom, PAD.top]);
  const svg = s("svg", {
    class: "chart",
    viewBox: `0 0 ${WIDTH} ${options.height}`,
    role: "img",
    "aria-label": options.label,
  });
  for (const tick of options.ticks) {
    svg.append(
      s("path", { class: "tick", d: `M${PAD.left} ${y(tick.at).toFixed(1)}H${WIDTH - PAD.right}` }),
      s("text", { class: "tick-text", x: WIDTH - PAD.right + 6, y: y(tick.at) + 6 }, tick.text),
    );
  }
  for (const at of options.xTicks ?? roundTicks(range[0], range[1], 5))
    svg.append(
      s("text", { class: `tick-text ${at === range[0] ? "" : "middle"}`, x: x(at), y: options.height - 4 }, options.xText(at)),
    );
  for (const one of series) {
    const xs = one.x.map(x);
    const ys = one.y.map((value) => y(clip(value, options.y)));
    if (one.low && one.high) {
      const upper = one.high.map(y);
      const lower = one.low.map(y);
      const back = line([...xs].reverse(), [...lower].reverse()).replace("M", "L");
      svg.append(s("path", { class: `band ${one.style}`, d: `${line(xs, upper)}${back}Z` }));
    }
    if (options.base !== undefined && xs.length > 1) {
      const floor = y(options.base).toFixed(1);
      const d = `${line(xs, ys)}L${xs.at(-1)?.toFixed(1)} ${floor}L${xs[0]?.toFixed(1)} ${floor}Z`;
      svg.append(s("path", { class: `band ${one.style}`, d }));
    }
    svg.append(s("path", { class: `curve ${one.style}`, d: line(xs, ys) }));
    if (options.dots)
      xs.forEach((cx, i) => svg.append(s("circle", { class: `dot ${one.style}`, cx, cy: ys[i] ?? 0, r: 3.4 })));
  }
  if (options.cursor != null)
    svg.append(s("path", { class: "cursor", d: `M${x(options.cursor).toFixed(1)} ${PAD.top}V${options.height - PAD.bottom}` }));
  return withReading(svg, series, options, range);
}

function withReading(svg: SVGSVGElement, series: Series[], options: ChartOptions, range: [number, number]): HTMLElement {
  const reading = h("output", { class: "reading", "aria-hidden": true });
  const holder = h("div", { class: `chart-holder${options.pick ? " pickable" : ""}` }, svg, reading);
  const ends: [number, number] = [PAD.left, WIDTH - PAD.right];
  const [back, x] = [scale(ends, range), scale(range, ends)];
  const y = scale(options.y, [options.height - PAD.bottom, PAD.top]);
  const pointed = s("g", { class: "pointed", "aria-hidden": true });
  svg.append(pointed);
  const at = (event: MouseEvent): number => {
    const box = svg.getBoundingClientRect();
    return back(((event.clientX - box.left) / box.width) * WIDTH);
  };
  holder.addEventListener("pointermove", (event) => {
    const here = at(event);
    const found = series.filter((one) => one.x.length).map((one) => ({ one, i: nearest(one.x, here) }));
    reading.textContent = found
      .map(({ one, i }) => {
        const when = options.xText(one.x[i] ?? 0);
        const told = when === options.xText(found[0]?.one.x[found[0].i] ?? 0) && one !== found[0]?.one ? "" : `${when}: `;
        return `${told}${one.name ? `${one.name} ` : ""}${options.yText(one.y[i] ?? 0)}`;
      })
      .join("  ·  ");
    const [first] = found;
    const line = first ? [s("path", { class: "hair", d: `M${x(first.one.x[first.i] ?? 0).toFixed(1)} ${PAD.top}V${options.height - PAD.bottom}` })] : [];
    pointed.replaceChildren(
      ...line,
      ...found.map(({ one, i }) => s("circle", { class: `dot ${one.style}`, cx: x(one.x[i] ?? 0), cy: y(clip(one.y[i] ?? 0, options.y)), r: 5 })),
    );
  });
  holder.addEventListener("pointerleave", () => {
    reading.textContent = "";
    pointed.replaceChildren();
  });
  if (options.pick) holder.addEventListener("pointerdown", (event) => options.pick?.(at(event)));
  return holder;
}
