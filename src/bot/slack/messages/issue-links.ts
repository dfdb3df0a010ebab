import { type IssueNumber, issueNumber } from '../../../lib/issue-number.ts';
import { mayBeShownIn } from '../../filing/privacy.ts';
import { issuesNamed } from '../../render/markdown/issue-links.ts';
import { cardKey } from '../../store/intents/keys.ts';
import type { Issue } from '../../store/issues.ts';
import { readSent } from '../delivery/sent.ts';
import type { ContentDeps } from './source.ts';

/** An answer that names more issues is a list, and each link takes up space in the message. */
const MOST = 20;

/** Links to the cards of issues mentioned in a text, as far as readers of the channel may see them, by number. */
export async function issueLinksIn(
  text: string,
  channel: string,
  deps: Pick<ContentDeps, 'store' | 'permalink'>,
): Promise<Record<IssueNumber, string>> {
  const named = issuesNamed(text).slice(0, MOST);
  const links: Record<IssueNumber, string> = {};
  for (const issue of await deps.store.issues.byNumbers(named)) {
    if (!(await mayBeShownIn(deps.store, issue.channel, channel))) continue;
    const link = await cardLink(issue, deps);
    const number = issueNumber(issue);
    if (number !== null && link !== null) links[number] = link;
  }
  return links;
}

/** `null` until the card is posted. */
async function cardLink(
  { id, channel, threadTs }: Issue,
  { store, permalink }: Pick<ContentDeps, 'store' | 'permalink'>,
): Promise<string | null> {
  const row = await store.outbox.get(cardKey(id));
  const ts = row === null ? undefined : readSent(row.sent)?.[0]?.ts;
  if (ts === undefined) return null;
  const isReply = threadTs !== null && threadTs !== ts;
  return `${permalink(channel, ts)}${isReply ? `?thread_ts=${threadTs}&cid=${channel}` : ''}`;
}
