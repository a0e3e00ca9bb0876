// Dark and light: as the system says, unless somebody has chosen.
import { byId } from "./dom";

const KEY = "glaux-theme";
type Theme = "light" | "dark";

const system = (): Theme => (matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light");

function stored(): Theme | null {
  try {
    const value = localStorage.getItem(KEY);
    return value === "light" || value === "dark" ? value : null;
  } catch {
    return null;
  }
}

function apply(theme: Theme): void {
  document.documentElement.dataset["theme"] = theme;
  const words = theme === "dark" ? "Use light colours" : "Use dark colours";
  for (const name of ["aria-label", "title"]) byId("theme").setAttribute(name, words);
}

export function startTheme(): void {
  let theme = stored() ?? system();
  apply(theme);
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => {
    if (!stored()) apply((theme = system()));
  });
  byId("theme").addEventListener("click", () => {
    theme = theme === "dark" ? "light" : "dark";
    try {
      localStorage.setItem(KEY, theme);
    } catch {
      // a browser that keeps nothing: the choice holds for this page
    }
    apply(theme);
  });
}
