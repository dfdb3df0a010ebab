import type { IssueNumber } from '../../../../lib/issue-number.ts';
import { canonicalEnvironment } from '../../../alerts/identity.ts';
import { mayBeShownIn } from '../../../filing/privacy.ts';
import { usageIssue } from '../../../render/admin/usage.ts';
import type { IssueFilterView } from '../../../render/issues/issue-list.ts';
import { namesake } from '../../../render/notices.ts';
import type { Rendered } from '../../../render/rendered.ts';
import type { CommandCall, Subcommand } from '../../commands/command.ts';
import { type IssueWish, readIssueWish } from '../../commands/issue-arguments.ts';
import type { ListenerDeps } from '../../listening/deps.ts';
import { tellPerson } from '../../listening/tell.ts';
import { issuePage } from './issue-page.ts';
import { listsPrivate } from './private-issue-page.ts';
import { askToDelete } from './verbs/delete.ts';
import { privateNamesake } from './verbs/find.ts';
import { resultsOf } from './verbs/results.ts';
import { show } from './verbs/show.ts';
import { steer } from './verbs/steer.ts';

/** `/issue …` lists and shows issues, and changes their status (DESIGN section 3). Every answer is private. */
export const issue: Subcommand = {
  example: 'issue list',
  does: 'same as `/issue`, here `list`; also `issue resolve 12` and so on',
  run: runIssue,
};

async function runIssue(asked: CommandCall, deps: ListenerDeps): Promise<void> {
  const wish = readIssueWish(asked.words);
  if ('verb' in wish && wish.verb === 'delete') await askToDelete(wish.number, asked, deps);
  else for (const answer of await answersTo(wish, asked, deps)) await tellPerson(asked.respond, answer, deps);
  const meant = 'number' in wish ? await meantInstead(wish.number, asked.channel, deps) : null;
  if (meant !== null) await tellPerson(asked.respond, namesake(meant), deps);
}

/** If an issue may not be seen here, the private one with the same number, if that may. */
async function meantInstead(
  number: IssueNumber,
  channel: string,
  deps: ListenerDeps,
): Promise<IssueNumber | null> {
  const issue = await deps.store.issues.byNumber(number);
  if (issue === null || (await mayBeShownIn(deps.store, issue.channel, channel))) return null;
  return privateNamesake(number, channel, deps);
}

async function answersTo(
  wish: Exclude<IssueWish, { verb: 'delete' }>,
  asked: CommandCall,
  deps: ListenerDeps,
): Promise<Rendered[]> {
  if ('misunderstood' in wish) return [usageIssue(asked.command, wish.misunderstood)];
  switch (wish.verb) {
    case 'list':
      return list(wish.filter, asked, deps);
    case 'show':
      return [await show(wish.number, asked, deps)];
    case 'results':
      return resultsOf(wish.number, wish.version, asked, deps);
    case 'mute':
      return [await steer(wish.number, 'mute', asked, deps, wish.forMs)];
    default:
      return [await steer(wish.number, wish.verb, asked, deps)];
  }
}

/** Issues of the private organisation have a list of their own, with its own pages. */
async function list(
  filter: IssueFilterView,
  { command, channel, userId }: CommandCall,
  deps: ListenerDeps,
): Promise<Rendered[]> {
  const environment = filter.environment === null ? null : canonicalEnvironment(filter.environment);
  const wish = { command, filter: { ...filter, environment } };
  const viewer = { channel, userId };
  const ofPrivate = (await listsPrivate(channel, deps))
    ? await issuePage({ ...wish, organization: 'private' }, viewer, deps)
    : null;
  const shown = await issuePage(wish, viewer, deps);
  return [ofPrivate, shown].flatMap((one) => {
    if (one === null || ('page' in one && one === ofPrivate && one.isEmpty)) return [];
    return 'page' in one ? one.page : one.refused;
  });
}
