import { withoutMarkup } from '../../slack-text.ts';
import type { State } from '../../state.ts';
import {
  ANNOUNCEMENT_MARKERS,
  FIRING_MARKERS,
  INFO_MARKERS,
  RESOLVED_MARKERS,
  SEVERITY_MARKERS,
  WEAK_FIRING_MARKERS,
  WEAK_RESOLVED_MARKERS,
} from './vocabulary/state-markers.ts';

/** A word set apart, as tools mark states: `[DOWN]`, `P1 |`, `Resolved:`, `… - OK`. */
interface Marker {
  state: State | 'announced' | 'severity' | 'info';
  /** In lower case. */
  word: string;
  /** Also has other meanings: `Open`, `New`, `Up`. */
  soft: boolean;
}

const MOST = 12;
/** Separators between markers and names. */
const APART = /[[\]()|{}<>【】「」·•»«]|:(?=\s|$)| [-–—:/→]+ |[-–—:!](?= )|：|->|=>|,(?= )/u;

/** The markers of a line, in order. A line of prose has none. */
export function markersOf(line: string): Marker[] {
  const parts = line.slice(0, 300).split(APART, MOST);
  const marks = parts.flatMap((part) => markOf(part) ?? []);
  if (marks.length > 0) return marks;
  // Shouted at the beginning or at the end, with nothing between it and the name.
  const shouted = [
    /^(?:\W{0,3})([A-Z]{1,12}\d?(?:-[A-Z]+)?)(?= \S)/u,
    /\s([A-Z]{2,12})\W?$/u,
    /^(?:\S+ ){1,3}?([A-Z]{2,12})(?= )/u,
  ].flatMap((place) => markOf(place.exec(line)?.[1] ?? '') ?? []);
  return shouted;
}

/** A line without its leading markers: `[DOWN][P1] shop: slow` becomes `shop: slow`. */
export function withoutMarkers(line: string): string {
  let rest = line.trim();
  for (let times = 0; times < 4; times += 1) {
    const [whole, inside, before] =
      /^(?:[[(【]([^\])】\n]{1,40})[\])】]\s*(?:[:|–—-]\s+)?|([^:|!–—：\n-]{1,40}?)\s?(?:[:|!–—：]| -)(?:\s+|$))/u.exec(
        rest,
      ) ?? [];
    if (whole === undefined || whole.length === rest.length || markOf(inside ?? before ?? '') === null) break;
    rest = rest.slice(whole.length);
  }
  return rest;
}

/** A marker alone, or with a number or a duration: `FIRING:2`, `Resolved after 5 min`. */
function markOf(part: string): Marker | null {
  const word = withoutMarkup(part)
    .toLowerCase()
    .replace(/^[\s\p{P}\p{S}]+|[\s\p{P}\p{S}]+$/gu, '')
    .replace(/[\s:#]+\d{1,6}$|\s(?:after|in|for) [\d.].{0,20}$/u, '')
    .replace(
      /^(?:state|status|alert|alarm|severity|priority|sev|level|is|now|event|monitor|incident)[\s:]+(?=\S)/u,
      '',
    )
    .replace(/[\s:]+(?:alert|alarm|incident|priority|severity|event|notification|issue|problem|state)$/u, '')
    .replaceAll(' ', '_');
  if (word === '') return null;
  if (FIRING_MARKERS.has(word)) return { state: 'firing', word, soft: false };
  if (ANNOUNCEMENT_MARKERS.has(word)) return { state: 'announced', word, soft: false };
  if (RESOLVED_MARKERS.has(word)) return { state: 'resolved', word, soft: false };
  if (SEVERITY_MARKERS.has(word.replace(/_(?=\d)/u, ''))) return { state: 'severity', word, soft: false };
  if (WEAK_FIRING_MARKERS.has(word)) return { state: 'firing', word, soft: true };
  if (WEAK_RESOLVED_MARKERS.has(word)) return { state: 'resolved', word, soft: true };
  return INFO_MARKERS.has(word) ? { state: 'info', word, soft: true } : null;
}
