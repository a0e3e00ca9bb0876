// The colours of a look as custom properties, which the style sheet uses where they are set.
import type { Look } from "../api";

/** The properties that a look sets: --look-first-dark for first_dark, --night-wood for wood at night. */
export function properties(look: Pick<Look, "colours" | "night">): [string, string][] {
  const named = (prefix: string, colours: Record<string, string>): [string, string][] =>
    Object.entries(colours).map(([key, colour]) => [`--${prefix}-${key.replaceAll("_", "-")}`, colour]);
  return [...named("look", look.colours), ...named("night", look.night)];
}

/** Give an element the colours of a look, and take away those of another. */
export function dress<E extends HTMLElement | SVGElement>(element: E, look: Pick<Look, "colours" | "night">): E {
  for (const name of [...element.style].filter((one) => /^--(look|night)-/.test(one))) element.style.removeProperty(name);
  for (const [name, colour] of properties(look)) element.style.setProperty(name, colour);
  return element;
}
