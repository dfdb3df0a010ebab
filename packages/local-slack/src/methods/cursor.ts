import { SlackError } from '../slack-error.ts';

/** A cursor that says to go on at `mark`, opaque to the caller. */
export function makeCursor(mark: string): string {
  return Buffer.from(`next:${mark}`).toString('base64');
}

/** @throws SlackError `invalid_cursor` if it is none of ours. */
export function readCursor(cursor: string | undefined): string | undefined {
  if (cursor === undefined || cursor === '') return undefined;
  const text = Buffer.from(cursor, 'base64').toString();
  if (!text.startsWith('next:')) throw new SlackError('invalid_cursor');
  return text.slice('next:'.length);
}

/** One page of a list that is at hand as a whole; marks are positions. */
export function pageOf<T>(
  items: readonly T[],
  limit: number,
  cursor: string | undefined,
): { page: T[]; next: string } {
  const from = Number(readCursor(cursor) ?? 0);
  const end = from + limit;
  return { page: items.slice(from, end), next: end < items.length ? makeCursor(String(end)) : '' };
}
