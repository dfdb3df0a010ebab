import { readLookingAt } from '../../asking/question.ts';
import type { MaySee } from '../../asking/request.ts';
import type { Conversation } from '../../store/conversations.ts';
import type { Issue } from '../../store/issues.ts';
import type { Store } from '../../store/open.ts';
import type { Question } from '../../store/questions.ts';

/**
 * The issue that somebody looks at while they ask in a direct message: that of the message which they have open, or the
 * newest open one of the channel. `null` if there is none, or where they may not see it.
 */
export async function lookedAt(
  { channel }: Pick<Conversation, 'channel'>,
  { lookingAt, asker }: Pick<Question, 'lookingAt' | 'asker'>,
  { store, maySee }: { store: Pick<Store, 'alerts' | 'issues' | 'overview'>; maySee: MaySee },
): Promise<Issue | null> {
  const looking = readLookingAt(lookingAt);
  if (looking === null || !channel.startsWith('D')) return null;
  const readers = { channel, person: asker };
  if (!(await maySee(readers, looking.channel))) return null;
  const issue =
    looking.messageTs === null
      ? await store.overview.newest(looking.channel)
      : await ofMessage(looking.channel, looking.messageTs, store);
  if (issue === null || issue.state !== 'created') return null;
  // A message may be part of an issue that lives in another channel.
  const isVisible = issue.channel === looking.channel || (await maySee(readers, issue.channel));
  return isVisible ? issue : null;
}

async function ofMessage(
  channel: string,
  ts: string,
  { alerts, issues }: Pick<Store, 'alerts' | 'issues'>,
): Promise<Issue | null> {
  const living = await issues.byThread(channel, ts);
  if (living !== null) return living;
  const alert = await alerts.find(channel, ts);
  return alert === null || alert.issueId === null ? null : issues.get(alert.issueId);
}
