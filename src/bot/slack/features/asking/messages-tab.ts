import { z } from 'zod';
import type { LookingAt } from '../../../asking/question.ts';
import type { Deps } from '../../../deps.ts';
import { type PromptIssue, suggestedPrompts } from '../../../render/asking/prompts.ts';
import type { Issue } from '../../../store/issues.ts';
import { groupOf } from '../../../store/overview.ts';
import { visiblePlaces } from '../../access/may-read.ts';
import { classifySlackError } from '../../errors.ts';
import type { Register } from '../../listening/feature.ts';
import { lookingAt } from '../../listening/messages.ts';
import { severityOf } from '../../messages/cards.ts';

const MOST = 100;
/** Severities that the contract does not name come last. */
const SEVERITIES = ['high', 'medium', 'low'];

/**
 * The open issues that somebody may see, most urgent first: those of the channel they are looking at, then by severity,
 * then the newest. Muted ones are left out.
 */
async function openIssues(
  { user, lookingAt }: { user: string; lookingAt: string | null },
  deps: Deps,
): Promise<PromptIssue[]> {
  const places = await visiblePlaces(user, deps);
  const here = lookingAt !== null && places.includes(lookingAt) ? [lookingAt] : [];
  const elsewhere = places.filter((channel) => channel !== lookingAt);
  const found: PromptIssue[] = [];
  for (const channels of [here, elsewhere]) {
    const issues = (await deps.store.overview.page(channels, MOST, 0)).filter(isPressing).sort(byPressure);
    found.push(...issues.flatMap(promptIssue));
  }
  return found;
}

function isPressing(issue: Issue): boolean {
  // The agent that answers in direct messages has no access to the private organization.
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

const METHOD = 'assistant.threads.setSuggestedPrompts';
const WHAT = 'prompts in the Messages tab';
const CONSEQUENCE = 'Slack takes no prompts in the Messages tab of this app; there are none';

const Changed = z.looseObject({
  event: z.looseObject({ user: z.string().optional().catch(undefined), context: z.unknown().optional() }),
  authorizations: z
    .array(z.looseObject({ user_id: z.string().nullish().catch(null) }))
    .optional()
    .catch(undefined),
});

/** The user navigated while the Messages tab is open: issues of what they look at now come first in the prompts. */
export const appContextChanged: Register = (app, deps) => {
  app.event('app_context_changed', async ({ body }) => {
    const parsed = Changed.safeParse(body);
    if (!parsed.success) return;
    const { event, authorizations } = parsed.data;
    const user = event.user ?? authorizations?.[0]?.user_id ?? null;
    if (user === null || deps.messagesTab.channelOf(user) === null) return;
    await suggest(user, lookingAt(event.context), deps);
  });
};

export async function openedMessagesTab(
  { user, channel, context }: { user: string; channel: string; context?: unknown },
  deps: Deps,
): Promise<void> {
  deps.messagesTab.opened(user, channel);
  await suggest(user, lookingAt(context), deps);
}

/**
 * Suggests questions at the top of the Messages tab, about the open issues that the user may see; none to people who
 * may not ask. Best effort: everything else works without them.
 */
async function suggest(user: string, looking: LookingAt | null, deps: Deps): Promise<void> {
  const { people, client, messagesTab, refusals, metrics, log } = deps;
  const channel = messagesTab.channelOf(user);
  if (channel === null || refusals.has(WHAT) || (await people.refusal(user)) !== null) return;
  const issues = await openIssues({ user, lookingAt: looking?.channel ?? null }, deps);
  const { title, prompts } = suggestedPrompts(issues);
  const [first, ...others] = prompts;
  const asText = JSON.stringify(prompts);
  if (first === undefined || messagesTab.shows(user, asText)) return;
  try {
    await client.assistant.threads.setSuggestedPrompts({
      channel_id: channel,
      title,
      prompts: [first, ...others],
    });
    metrics.count('gumshoe_slack_calls_total', { method: METHOD, outcome: 'ok' });
    messagesTab.shown(user, asText);
  } catch (error) {
    const failure = classifySlackError(error);
    const outcome = failure.kind === 'refused' ? failure.error : failure.kind;
    metrics.count('gumshoe_slack_calls_total', { method: METHOD, outcome });
    if (failure.kind === 'refused') refusals.add(WHAT, error, CONSEQUENCE);
    else log.debug({ err: error }, 'could not suggest questions');
  }
}
