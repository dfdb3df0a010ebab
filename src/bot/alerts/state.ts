/** Whether an alert is firing or resolved. */
export type State = 'firing' | 'resolved';

const BRACKET = /^\s*\[((?:FIRING|RESOLVED)[^\]]{0,60})\]\s*/iu;

/** The state and the name in a title like `[FIRING:1] Name`. A mixed prefix is still firing. */
export function bracketedState(title: string): { state: State; name: string } | null {
  const [whole, inside] = BRACKET.exec(title) ?? [];
  if (whole === undefined || inside === undefined) return null;
  const firing = /FIRING(?::(\d+))?/iu.exec(inside);
  const state = firing !== null && firing[1] !== '0' ? 'firing' : 'resolved';
  return { state, name: title.slice(whole.length).trim() };
}

const ON =
  /:(?:fire|rotating_light|red_circle|x|bangbang|exclamation|heavy_exclamation_mark|warning|boom|bomb|no_entry|alert|siren):|[🔥🚨🔴❌❗‼⚠💥⛔]/u;
const OVER =
  /:(?:white_check_mark|heavy_check_mark|ballot_box_with_check|large_green_circle|green_circle|green_heart|ok|beer|tada):|[✅✔☑🟢💚]/u;

/** The state that the first emoji of a text signals. */
export function emojiState(text: string): State | null {
  const on = text.search(ON);
  const over = text.search(OVER);
  if (on < 0 && over < 0) return null;
  return over < 0 || (on >= 0 && on < over) ? 'firing' : 'resolved';
}

/** The state that an attachment's colour signals. */
export function colorState(color: string): State | null {
  const mood = slackColorOf(color);
  if (mood === null) return null;
  return mood === 'good' ? 'resolved' : 'firing';
}

const HEADING = /^[\s*_#]*(?:alerts? )?(firing|resolved)(?: alerts?)?[\s*_:]*(?:\(\d+\))?[\s*_:]*$/iu;

/** The state in a heading of a list of alerts (`**Firing**`, `Alerts Resolved:`). */
export function headingState(line: string): State | null {
  const word = line.length > 80 ? undefined : HEADING.exec(line)?.[1]?.toLowerCase();
  return word === 'firing' || word === 'resolved' ? word : null;
}

/** A text without the part below a `Resolved` heading, if it also lists firing alerts. */
export function firingPart(text: string): string {
  const lines = text.split('\n');
  if (!lines.some((line) => headingState(line) === 'firing')) return text;
  let keep = true;
  return lines
    .filter((line) => {
      const heading = headingState(line);
      if (heading) keep = heading === 'firing';
      return keep;
    })
    .join('\n');
}

/** Slack's names for the colours of an attachment's bar. */
export type SlackColor = 'good' | 'warning' | 'danger';

const NAMES: Readonly<Record<string, SlackColor>> = { good: 'good', warning: 'warning', danger: 'danger' };

/**
 * Slack's name for a colour in any notation (`good`, `#2eb886`, `2EB886`, `f00`), by its hue, since every tool has its own
 * green. `null` for greys and blues, and if it is not a colour.
 */
export function slackColorOf(color: string): SlackColor | null {
  const lower = color.trim().toLowerCase();
  const named = NAMES[lower];
  if (named) return named;
  const digits =
    /^#?([\da-f]{6})$/u.exec(lower)?.[1] ?? /^#?([\da-f]{3})$/u.exec(lower)?.[1]?.replace(/./gu, '$&$&');
  return digits === undefined ? null : byHue(Number.parseInt(digits, 16));
}

function byHue(rgb: number): SlackColor | null {
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
