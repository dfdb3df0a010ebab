import type { PromptIssue } from '../../../render/asking/prompts.ts';
import type { Issue } from '../../../store/issues.ts';
import { groupOf } from '../../../store/overview.ts';
import { visiblePlaces } from '../../access/visible-places.ts';
import type { ListenerDeps } from '../../listening/deps.ts';
import { severityOf } from '../../messages/card-view.ts';

const MOST = 100;
/** Severities that the contract does not name come last. */
const SEVERITIES = ['high', 'medium', 'low'];

/**
 * The open issues that somebody may see, most urgent first: those of the channel they are looking at, then by severity,
 * then the newest. Muted ones are left out.
 */
export async function openIssues(
  { user, lookingAt }: { user: string; lookingAt: string | null },
  { store, home }: Pick<ListenerDeps, 'store' | 'home'>,
): Promise<PromptIssue[]> {
  const places = await visiblePlaces(user, (channel) => home.maySee(user, channel), store);
  const here = lookingAt !== null && places.includes(lookingAt) ? [lookingAt] : [];
  const elsewhere = places.filter((channel) => channel !== lookingAt);
  const found: PromptIssue[] = [];
  for (const channels of [here, elsewhere]) {
    const issues = (await store.overview.page(channels, MOST, 0)).filter(isPressing).sort(byPressure);
    found.push(...issues.flatMap(promptIssue));
  }
  return found;
}

function isPressing(issue: Issue): boolean {
  // The agent that answers in direct messages has no access to the private organisation.
  return issue.state === 'created' && issue.organization === 'default' && groupOf(issue) !== 'muted';
}

function byPressure(a: Issue, b: Issue): number {
  return rankOf(a) - rankOf(b) || b.createdAt - a.createdAt;
}

function rankOf(issue: Issue): number {
  const rank = SEVERITIES.indexOf(severityOf(issue).severity);
  return rank < 0 ? SEVERITIES.length : rank;
}

function promptIssue({ number, title, status, service, environment }: Issue): PromptIssue[] {
  return number === null ? [] : [{ number, title, status, service, environment }];
}
