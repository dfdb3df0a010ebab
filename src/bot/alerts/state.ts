import type { AlertKind, Severity } from './types.ts';
import {
  ANNOUNCEMENT_MARKERS,
  FIRING_MARKERS,
  RESOLVED_MARKERS,
  SEVERITY_MARKERS,
  setOf,
  WEAK_RESOLVED_MARKERS,
} from './vocabulary.ts';

/** Whether an alert is firing or resolved. */
export type State = 'firing' | 'resolved';

const BRACKET = /^\s*\[((?:FIRING|RESOLVED)[^\]]{0,60})\]\s*/iu;

/** The state and the name in a title like `[FIRING:1] Name`. A mixed prefix is still firing. */
export function bracketedState(title: string): TitleState | null {
  const [whole, inside] = BRACKET.exec(title) ?? [];
  if (whole === undefined || inside === undefined) return null;
  const firing = /FIRING(?::(\d+))?/iu.exec(inside);
  const state = firing !== null && firing[1] !== '0' ? 'firing' : 'resolved';
  return { state, name: title.slice(whole.length).trim() };
}

interface TitleState {
  state: State;
  name: string;
}

/** `FIRING: Name`, `Resolved | Name`, `FIRING Name`. */
const BEFORE =
  /^\W{0,4}(?:(FIRING|RESOLVED)(?: alerts?)?(?:\s?[:(]\s?\d+\)?)?(?:\s?[:|–—]\s?|\s-\s)|(FIRING|RESOLVED)(?:\[\d+\])? )(?=\S)/iu;
/** `Name - RESOLVED`, `Name (firing)`. */
const BEHIND = /(?:\s[-–—|:]\s?|:\s|\s?[[(])(FIRING|RESOLVED)(?::\d+)?[\])]?\s*$/iu;

/** `[CRITICAL - 2]`, `(resolved: 1)`. */
const COUNT = /[[({【]\s*(\p{L}{2,12})\s?[-–:=×x#]{0,2}\s?(\d{1,5})\s*[\])}】]\s*/giu;

/** The state that counts in brackets state, in any order: what counts a firing alert fires, whatever it says besides. */
function countedState(title: string): TitleState | null {
  const counts = [...title.matchAll(COUNT)].flatMap(([, word = '', count]) => {
    const counted = countedBy(word);
    return counted === null ? [] : [{ isOver: counted === 'resolved', isNone: Number(count) === 0 }];
  });
  if (counts.length === 0) return null;
  const fires = counts.some(({ isOver, isNone }) => !isOver && !isNone);
  // Only what was read as a state goes: `(node-3)` is the object.
  const name = title.replace(COUNT, (whole, word: string) => (countedBy(word) === null ? whole : ''));
  return { state: fires ? 'firing' : 'resolved', name: name.trim() };
}

function countedBy(word: string): State | null {
  const lower = word.toLowerCase();
  if (RESOLVED_MARKERS.has(lower) || WEAK_RESOLVED_MARKERS.has(lower)) return 'resolved';
  const isOn = FIRING_MARKERS.has(lower) || SEVERITY_MARKERS.has(lower) || ANNOUNCEMENT_MARKERS.has(lower);
  return isOn ? 'firing' : null;
}

/** The same for a title without markup in any template: `RESOLVED: Name`, `Name - FIRING`, `FIRING Name`. */
export function titledState(title: string): TitleState | null {
  const bracketed = countedState(title) ?? bracketedState(title);
  if (bracketed) return bracketed;
  const [before, word, loud] = BEFORE.exec(title) ?? [];
  if (before !== undefined && (word !== undefined || loud === loud?.toUpperCase()))
    return { state: stateNamed(word ?? loud ?? ''), name: title.slice(before.length).trim() };
  const [behind, last] = BEHIND.exec(title) ?? [];
  if (behind === undefined || last === undefined || behind.length === title.length) return null;
  return { state: stateNamed(last), name: title.slice(0, -behind.length).trim() };
}

function stateNamed(word: string): State {
  return /^f/iu.test(word) ? 'firing' : 'resolved';
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

/** The state that an attachment's color signals. */
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

/** Slack's names for the colors of an attachment's bar. */
type SlackColor = 'good' | 'warning' | 'danger';

const NAMES: Readonly<Record<string, SlackColor>> = { good: 'good', warning: 'warning', danger: 'danger' };

/**
 * Slack's name for a color in any notation (`good`, `#2eb886`, `2EB886`, `f00`), by its hue, since every tool has its own
 * green. `null` for greys and blues, and if it is not a color.
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
  if (most === green && green > red) return 'good';
  if (most === blue) return null;
  const hue = (60 * (green - blue)) / spread;
  if (hue >= 80) return 'good';
  return hue >= 24 ? 'warning' : 'danger';
}

const WORDS = new Map<string, Severity>(
  (['high', 'medium', 'low'] as const).flatMap((severity) =>
    [...setOf(severity)].map((word): [string, Severity] => [word, severity]),
  ),
);

/** Words that state a severity anywhere in a text; the others count only as the value of a severity field. */
const ANYWHERE = new Set(
  'critical crit fatal p1 p2 p3 p4 p5 sev0 sev1 sev2 sev3 sev4 warning warn info high medium low'.split(' '),
);

const RANK: Readonly<Record<Severity, number>> = { low: 0, medium: 1, high: 2 };

/** The severity of a severity field's value (`P1`, `Sev 2`, `Critical`, `1 - High`); `null` if it states none. */
export function severityOf(value: string): Severity | null {
  const words =
    value
      .toLowerCase()
      .replace(/\b(sev|p)[ -](?=\d)/gu, '$1')
      .match(/\p{L}+\d?/gu) ?? [];
  for (const word of words.slice(0, 6)) {
    const found = WORDS.get(word);
    if (found) return found;
  }
  return null;
}

/** The same for a single word without a label, where only unambiguous words count. */
export function severityWord(word: string): Severity | null {
  const lower = word.toLowerCase();
  return ANYWHERE.has(lower) ? (WORDS.get(lower) ?? null) : null;
}

/** The highest of the severities that are known. */
export function highestSeverity(severities: readonly (Severity | null)[]): Severity | null {
  return severities.reduce<Severity | null>(
    (worst, next) => (next !== null && (worst === null || RANK[next] > RANK[worst]) ? next : worst),
    null,
  );
}

const INCIDENT_OVER = /^(?:resolved|closed?|recovered|recovery|ok|ended|cleared|deactivated|inactive)\b/iu;
const INCIDENT_NOTED =
  /^(?:ack|acked|acknowledged?|snoozed?|un-?acknowledged|muted|silenced|suppressed|archived|assigned|reassigned|escalated|merged|updated|note|comment|priority|status|urgency|added|removed|delegated|ownership)\b/iu;
const INCIDENT_ON =
  /^(?:triggered|re-?triggered|open(?:ed)?|re-?opened|new|created|activated|active|firing|fired|ongoing|alerting|regressed|reactivated)\b/iu;

/**
 * The kind of alert for a tool's incident state, alone or at the start of a line: `Resolved`, `Acknowledged by Dana`,
 * `New alert`. `null` if the text is not a state.
 */
export function incidentKind(words: string): AlertKind | null {
  const line = words.trim();
  if (INCIDENT_OVER.test(line)) return 'resolved';
  if (INCIDENT_NOTED.test(line)) return 'not_an_alert';
  return INCIDENT_ON.test(line) ? 'firing' : null;
}

/** Phrases about a problem that is over: how long it lasted, what it was, that the service is back. */
const PAST =
  /\b(?:was|were|had been)\b(?! not\b)|\bha(?:s|ve) been (?:\w+ )?(?:resolved|restored|fixed|cleared|closed|down for)\b|\b(?:lasted|recovered|restored|returned to|came back|(?:is|are|now) back|back (?:up|online|to normal))\b|^(?:down ?time|duration|resolved|outage)\b|\bis resolved\b|\b(?:up|reachable|healthy|responding|working) again\b/iu;
/** A current measurement, as checks and rules report it. */
const NOW = /^(?:\d{3} - |(?:PING |HTTP |DISK |\w+ )?OK\b|Threshold Crossed)/u;

/** Whether a recovery's text describes the past problem; it is then not a current error message. */
export function isRecoverySummary(words: string): boolean {
  return PAST.test(words) && !NOW.test(words);
}
