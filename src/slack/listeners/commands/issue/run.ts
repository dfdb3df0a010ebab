import { canonicalEnvironment } from '../../../../filing/identity.ts';
import type { IssueFilterView } from '../../../../render/issue-list.ts';
import type { Rendered } from '../../../../render/rendered.ts';
import { usageIssue } from '../../../../render/usage.ts';
import type { ListenerDeps } from '../../deps.ts';
import { issuePage } from '../../issue-page.ts';
import { tellPerson } from '../../tell.ts';
import type { Asked } from '../gumshoe/subcommand.ts';
import { askToDelete } from './delete.ts';
import { type IssueWish, readIssueWish } from './read.ts';
import { resultsOf } from './results.ts';
import { show } from './show.ts';
import { steer } from './steer.ts';

/** Does what somebody wrote behind `/issue` (DESIGN section 3); every answer is for them alone. */
export async function runIssue(asked: Asked, deps: ListenerDeps): Promise<void> {
  const wish = readIssueWish(asked.words);
  if ('verb' in wish && wish.verb === 'delete') return askToDelete(wish.number, asked, deps);
  for (const answer of await answersTo(wish, asked, deps)) await tellPerson(asked.respond, answer, deps);
}

async function answersTo(
  wish: Exclude<IssueWish, { verb: 'delete' }>,
  asked: Asked,
  deps: ListenerDeps,
): Promise<Rendered[]> {
  if ('misunderstood' in wish) return [usageIssue(asked.command, wish.misunderstood)];
  switch (wish.verb) {
    case 'list':
      return [await list(wish.filter, asked, deps)];
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

async function list(
  filter: IssueFilterView,
  { command, channel, userId }: Asked,
  deps: ListenerDeps,
): Promise<Rendered> {
  const environment = filter.environment === null ? null : canonicalEnvironment(filter.environment);
  const shown = await issuePage({ command, filter: { ...filter, environment } }, { channel, userId }, deps);
  return 'page' in shown ? shown.page : shown.refused;
}
