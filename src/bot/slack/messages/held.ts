import { issueNumber } from '../../../lib/issue-number.ts';
import { type HeldAlertGroup, heldAlertGroups } from '../../filing/held.ts';
import { dayFreesAt } from '../../filing/throttle.ts';
import { renderHeld } from '../../render/held/held.ts';
import type { HeldProblemView } from '../../render/held/held-view.ts';
import type { Hold } from '../../store/holds.ts';
import { payloadOf } from '../../store/intents/payloads.ts';
import { toolName } from './card-view.ts';
import type { ContentDeps, ContentSource } from './source.ts';

/** The message of a held batch, edited as alerts arrive. */
export const held: ContentSource = async (row, deps) => {
  const { store, clock, maxIssuesPerDay } = deps;
  const hold = await store.holds.get(payloadOf('held', row).hold);
  if (!hold) return { kind: 'nothing' };
  const { settings } = await store.channels.get(hold.channel);
  const freesAt = hold.reason === 'day' ? await dayFreesAt(store, maxIssuesPerDay) : null;
  const rendered = renderHeld({
    id: hold.id,
    reason: hold.reason,
    state: hold.state,
    lastAt: hold.lastAt,
    freesAt: freesAt !== null && freesAt > clock.now() ? freesAt : null,
    budget: settings.budget,
    maxIssuesPerDay,
    dismissedBy: hold.dismissedBy,
    problems: await heldProblemViews(hold, deps),
  });
  return { kind: 'messages', parts: [rendered], channel: row.channel, threadTs: row.threadTs };
};

/** The problems of a held batch, most recently fired first. */
export async function heldProblemViews(
  { id, channel }: Pick<Hold, 'id' | 'channel'>,
  deps: Pick<ContentDeps, 'store' | 'permalink'>,
): Promise<HeldProblemView[]> {
  const problems = await heldAlertGroups(deps.store, id);
  return Promise.all(
    problems.map(async (problem) => ({
      key: problem.first,
      state: problem.state,
      title: problem.alert.title,
      service: problem.alert.service,
      tool: toolName(problem.alert.format) ?? problem.sender,
      messages: problem.messages,
      issue: problem.issueId === null ? null : await issueOf(problem.issueId, problem, channel, deps),
    })),
  );
}

/** Links to the issue's thread only if it is in this channel, since readers may not be members of others. */
async function issueOf(
  id: string,
  { state }: HeldAlertGroup,
  channel: string,
  { store, permalink }: Pick<ContentDeps, 'store' | 'permalink'>,
): Promise<HeldProblemView['issue']> {
  if (state !== 'filed' && state !== 'joined') return null;
  const issue = await store.issues.get(id);
  if (!issue) return null;
  const isHere = issue.channel === channel && issue.threadTs !== null;
  return {
    number: issueNumber(issue),
    refused: issue.state === 'failed',
    url: isHere && issue.threadTs ? permalink(channel, issue.threadTs) : null,
  };
}
