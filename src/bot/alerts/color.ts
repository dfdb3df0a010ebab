/** What an attachment's bar says, as far as a colour can. */
export type Mood = 'good' | 'warning' | 'danger';

const NAMES: Readonly<Record<string, Mood>> = { good: 'good', warning: 'warning', danger: 'danger' };

/**
 * The mood of a colour in any form that Slack shows (`good`, `#2eb886`, `2EB886`, `f00`): by its hue, since every
 * tool has its own green. `null` for greys, blues and what is no colour.
 */
export function moodOf(color: string): Mood | null {
  const lower = color.trim().toLowerCase();
  const named = NAMES[lower];
  if (named) return named;
  const digits =
    /^#?([\da-f]{6})$/u.exec(lower)?.[1] ?? /^#?([\da-f]{3})$/u.exec(lower)?.[1]?.replace(/./gu, '$&$&');
  return digits === undefined ? null : byHue(Number.parseInt(digits, 16));
}

function byHue(rgb: number): Mood | null {
  const [red, green, blue] = [(rgb >> 16) & 255, (rgb >> 8) & 255, rgb & 255];
  const most = Math.max(red, green, blue);
  const spread = most - Math.min(red, green, blue);
  if (spread < 60) return null;
  if (most === green) return 'good';
  if (most === blue) return null;
  const hue = (60 * (green - blue)) / spread;
  if (hue >= 80) return 'good';
  return hue >= 24 ? 'warning' : 'danger';
}
