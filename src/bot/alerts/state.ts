import { moodOf } from './color.ts';

/** Whether a problem is on, or over. */
export type State = 'firing' | 'resolved';

const BRACKET = /^\s*\[((?:FIRING|RESOLVED)[^\]]{0,60})\]\s*/iu;

/** `[FIRING:1] Name` of Alertmanager's family: its state, and the name alone. A mixed prefix is still firing. */
export function bracketed(title: string): { state: State; name: string } | null {
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

/** The state that the first emoji of a text stands for. */
export function emojiState(text: string): State | null {
  const on = text.search(ON);
  const over = text.search(OVER);
  if (on < 0 && over < 0) return null;
  return over < 0 || (on >= 0 && on < over) ? 'firing' : 'resolved';
}

/** The state that an attachment's colour stands for. */
export function colorState(color: string): State | null {
  const mood = moodOf(color);
  if (mood === null) return null;
  return mood === 'good' ? 'resolved' : 'firing';
}

const HEADING = /^[\s*_#]*(?:alerts? )?(firing|resolved)(?: alerts?)?[\s*_:]*(?:\(\d+\))?[\s*_:]*$/iu;

/** The state that a line announces for the alerts below it (`**Firing**`, `Alerts Resolved:`). */
export function headingState(line: string): State | null {
  const word = line.length > 80 ? undefined : HEADING.exec(line)?.[1]?.toLowerCase();
  return word === 'firing' || word === 'resolved' ? word : null;
}

/** Without the part below a `Resolved` heading, where a text lists firing alerts as well. */
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
