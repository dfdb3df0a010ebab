import type { Trouble } from '../../store/troubles.ts';
import { channelOf, scopeOf } from './names.ts';

/** Each trouble in a sentence for operators, without markup: `/readyz`, `/gumshoe status`, Home. */
export function troubleSentences(open: readonly Trouble[]): string[] {
  return open.flatMap(({ name, reason }) => {
    const channel = channelOf(name);
    if (channel !== null) return [`nothing can be posted in channel ${channel} (${reason}); it waits`];
    const scope = scopeOf(name);
    return scope === null ? [] : [`Slack does not grant the scope ${scope}; what needs it waits`];
  });
}
