import type { KnownBlock } from '@slack/types';
import type { InvestigationResults } from '../../contract/answers.ts';
import { limits } from './limits.ts';

/** Times that the service gives in UTC, in the reader's time zone, like those of the messages around them. */

// Code and Slack's tokens stay as they are.
const UTC_TIME =
  /```[\s\S]*?(?:```|$)|`[^`\n]*`|<[^>]*>|(?<![\d:.-]|\d{4}-\d\d-\d\d )(?<hours>[01]\d|2[0-3]):(?<minutes>[0-5]\d) UTC\b/gu;

const DAY_MS = 86_400_000;

/**
 * Each time of day that mrkdwn states in UTC, as Slack's date token; the one nearest to `near`, in milliseconds. Text that
 * would become too long for a section stays as it is.
 */
export function inReadersTime(mrkdwn: string, near: number | null): string {
  if (near === null) return mrkdwn;
  const midnight = Math.floor(near / DAY_MS) * DAY_MS;
  const converted = mrkdwn.replace(UTC_TIME, (match: string, hours?: string, minutes?: string) => {
    if (hours === undefined || minutes === undefined) return match;
    const at = midnight + (Number(hours) * 60 + Number(minutes)) * 60_000;
    const [nearest = at] = [at, at - DAY_MS, at + DAY_MS].toSorted(
      (a, b) => Math.abs(a - near) - Math.abs(b - near),
    );
    return nearest < 0 ? match : `<!date^${nearest / 1000}^{time}|${match}>`;
  });
  return converted.length > limits.sectionText ? mrkdwn : converted;
}

/** The same in all text of a block. */
export function blockInReadersTime(block: KnownBlock, near: number | null): KnownBlock {
  const converted = <E extends { type: string }>(element: E): E =>
    element.type === 'mrkdwn' && 'text' in element && typeof element.text === 'string'
      ? { ...element, text: inReadersTime(element.text, near) }
      : element;
  switch (block.type) {
    case 'section':
      return { ...block, ...(block.text && { text: converted(block.text) }) };
    case 'context':
      return { ...block, elements: block.elements.map(converted) };
    case 'container':
      return {
        ...block,
        child_blocks: block.child_blocks.map((child) =>
          child.type === 'section' && child.text ? { ...child, text: converted(child.text) } : child,
        ),
      };
    default:
      return block;
  }
}

/** The moment that results are about: that of the alert, else the last of their timeline; `null` if they state none. */
export function momentOf({ timeline = [] }: Pick<InvestigationResults, 'timeline'>): number | null {
  const times = timeline.map(({ timestamp, type }) => ({ type, at: Date.parse(timestamp ?? '') }));
  const known = times.filter(({ at }) => Number.isFinite(at));
  return (known.find(({ type }) => type === 'alert') ?? known.at(-1))?.at ?? null;
}

/** Text as the service said it, with times in UTC again. */
export function inUtc(mrkdwn: string): string {
  return mrkdwn.replace(/<!date\^\d+\^\{time\}\|(\d\d:\d\d UTC)>/gu, '$1');
}
