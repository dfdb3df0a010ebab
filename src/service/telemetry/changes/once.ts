import type { Change } from '../model.ts';
import { isSetting } from '../undo.ts';

/** A rollout takes minutes, and each source notices it at another moment of them. */
const SAME_ROLLOUT_MS = 10 * 60_000;

/**
 * The changes of several sources, oldest first. A version that one source was told of and another one saw arrive is one
 * change: at the time and with the words of who reported it, and with what was seen of it.
 */
export function onceEach(bySource: readonly { source: string; changes: readonly Change[] }[]): Change[] {
  const all = bySource.flatMap(({ source, changes }) => changes.map((change) => ({ source, change })));
  const reported = all.filter(({ change }) => !isSeen(change));
  const seen = all.filter(({ change }) => isSeen(change));
  const kept: { sources: string[]; change: Change }[] = [];
  for (const { source, change } of [...reported, ...seen]) {
    const [same] = kept
      .filter((one) => !one.sources.includes(source) && isSame(one.change, change))
      .toSorted((a, b) => Math.abs(a.change.at - change.at) - Math.abs(b.change.at - change.at));
    if (same === undefined) kept.push({ sources: [source], change });
    else {
      same.sources.push(source);
      same.change = joined(same.change, change);
    }
  }
  return kept.map(({ change }) => change).sort((a, b) => a.at - b.at);
}

/** Whether it was noticed by what runs, and told by nobody. */
function isSeen({ instances, undo }: Change): boolean {
  return instances !== undefined || undo?.by === 'rollout';
}

function isSame(a: Change, b: Change): boolean {
  const [version, other] = [a, b].map((one) => one.version?.replace(/^v(?=\d)/u, ''));
  return (
    a.service !== null &&
    a.service === b.service &&
    version !== undefined &&
    version === other &&
    !isSetting(a) &&
    !isSetting(b) &&
    Math.abs(a.at - b.at) <= SAME_ROLLOUT_MS
  );
}

function joined(first: Change, second: Change): Change {
  return {
    ...second,
    ...first,
    ref: first.ref ?? second.ref,
    url: first.url ?? second.url,
    details: first.details ?? second.details,
    ...(first.before == null && second.before != null && { before: second.before }),
    ...(first.undo == null && second.undo != null && { undo: second.undo }),
  };
}
