import type { ContainerBlock } from '@slack/types';
import type { TimelineEntry } from '../../../contract/answers.ts';
import { date } from '../dates.ts';
import { literal } from '../escape.ts';
import { folded } from '../folded.ts';
import { section } from '../rendered.ts';
import { itemsOf, pages } from './pages.ts';
import { phrase, tags } from './phrases.ts';

const PAGE = 2500;
const MAX_ENTRIES = 12;
const MAX_TITLE = 160;

/** The timeline, folded away, earliest first, short: titles only, and the first dozen of them. */
export function timelineBlocks(timeline: readonly TimelineEntry[]): ContainerBlock[] {
  const sorted = timeline
    .map((entry) => ({ entry, at: Date.parse(entry.timestamp ?? '') }))
    .toSorted((a, b) => order(a.at) - order(b.at));
  const entries = itemsOf(
    sorted,
    ({ entry, at }) => line(entry, at),
    ({ entry }) => /\S/u.test(entry.title ?? '') || /\S/u.test(entry.description ?? ''),
  );
  if (entries.length === 0) return [];
  const more = entries.length - MAX_ENTRIES;
  const note = more > 0 ? [`… shortened: ${more} more`] : [];
  const lines = [...entries.slice(0, MAX_ENTRIES), ...note];
  return folded(`Timeline · ${entries.length}`, pages(lines, PAGE, 1).map(section));
}

function line(entry: TimelineEntry, at: number): string {
  const title = literal(phrase(entry.title, MAX_TITLE) || phrase(entry.description, MAX_TITLE));
  if (title === '') return '';
  const moment = Number.isNaN(at) ? literal(phrase(entry.timestamp, 60)) || 'no time given' : date(at);
  return `${moment} – ${title}${tags(entry.type)}`;
}

function order(at: number): number {
  return Number.isNaN(at) ? Number.MAX_SAFE_INTEGER : at;
}
