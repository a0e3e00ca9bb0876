// Elements without a framework: h() for HTML, s() for SVG.

type Attributes = Record<string, string | number | boolean | null | undefined | ((event: never) => void)>;
type Child = Node | string | null | undefined | false;

const SVG = "http://www.w3.org/2000/svg";

function fill<E extends Element>(element: E, attributes: Attributes, children: Child[]): E {
  for (const [name, value] of Object.entries(attributes)) {
    const said = typeof value === "boolean" && name.startsWith("aria-") ? String(value) : value; // ARIA has words for both
    if (said === null || said === undefined || said === false) continue;
    if (typeof said === "function") element.addEventListener(name.slice(2), said as EventListener);
    else element.setAttribute(name, said === true ? "" : String(said));
  }
  for (const child of children) if (child) element.append(child);
  return element;
}

/** An HTML element; attributes that begin with "on" are listeners. */
export function h<K extends keyof HTMLElementTagNameMap>(
  tag: K,
  attributes: Attributes = {},
  ...children: Child[]
): HTMLElementTagNameMap[K] {
  return fill(document.createElement(tag), attributes, children);
}

/** An SVG element. */
export function s<K extends keyof SVGElementTagNameMap>(
  tag: K,
  attributes: Attributes = {},
  ...children: Child[]
): SVGElementTagNameMap[K] {
  return fill(document.createElementNS(SVG, tag), attributes, children);
}

/** The element of the page with this id. */
export function byId<E extends Element = HTMLElement>(id: string): E {
  const element = document.getElementById(id);
  if (!element) throw new Error(`The page has no #${id}`);
  return element as unknown as E;
}

/** Whether somebody asked for less movement. */
export const still = (): boolean => matchMedia("(prefers-reduced-motion: reduce)").matches;
