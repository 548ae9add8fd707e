// Dark, light, or as the system says; remembered in the browser.

export type Theme = 'system' | 'dark' | 'light';

const KEY = 'tracehound-theme';
const dark = () => window.matchMedia('(prefers-color-scheme: dark)');

class Look {
  chosen = $state<Theme>('system');
  systemIsDark = $state(false);
  /** What is shown. */
  shown = $derived<'dark' | 'light'>(this.chosen === 'system' ? (this.systemIsDark ? 'dark' : 'light') : this.chosen);
}

export const look = new Look();

/** Takes the remembered theme and follows the system. Returns what undoes it. */
export function followTheme(): () => void {
  choose(remembered());
  look.systemIsDark = dark().matches;
  const changed = (event: MediaQueryListEvent) => (look.systemIsDark = event.matches);
  const query = dark();
  query.addEventListener('change', changed);
  return () => query.removeEventListener('change', changed);
}

/** Chooses a theme and remembers it. */
export function choose(theme: Theme): void {
  look.chosen = theme;
  if (theme === 'system') delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = theme;
  try {
    if (theme === 'system') localStorage.removeItem(KEY);
    else localStorage.setItem(KEY, theme);
  } catch {
    // Browsers without storage still get the theme for this visit.
  }
}

/** A colour of the theme that is shown, for what is drawn outside of CSS. */
export function colour(token: string): string {
  // Reading what is shown makes callers follow a change of theme.
  void look.shown;
  return getComputedStyle(document.documentElement).getPropertyValue(token).trim();
}

function remembered(): Theme {
  try {
    const theme = localStorage.getItem(KEY);
    return theme === 'dark' || theme === 'light' ? theme : 'system';
  } catch {
    return 'system';
  }
}
