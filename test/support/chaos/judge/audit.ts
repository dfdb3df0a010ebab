import { z } from 'zod';
import { statusChanges } from '../../../../src/bot/issues/change-status.ts';
import type { Ledger } from '../ledger.ts';
import type { SystemState } from '../read-state.ts';
import type { Difference, Judge } from './difference.ts';
import { looksAt } from './looks.ts';

const SETS =
  /^(?:set the digest|turned off the digest|changed the settings|had \S+ watched|stopped watching)/u;

/** Of what a channel is told, that which tells of a setting; what else it is told, nobody has set. */
const SETTING = new Set(['watched', 'changed', 'unwatched', 'digest']);
const Payload = z.looseObject({ what: z.string().optional() });

/** Each change that a person made is in the audit once, and none that nobody made. */
export const judgeAudit: Judge = (system, ledger) => [
  ...system.issues
    .filter(({ state }) => state !== 'gone')
    .flatMap((issue) => [...ofStatuses(issue, system, ledger), ...ofTicks(issue, system)]),
  ...ofSettings(system),
  ...system.changes
    .filter(({ recorded }) => !recorded)
    .map(({ cause, at }) => ({ at, what: `the change ${cause} was begun, and what came of it is not kept` })),
];

function ofStatuses(
  { id, title }: SystemState['issues'][number],
  system: SystemState,
  { steered, again, mayBreakOff }: Ledger,
): Difference[] {
  const { audit, issuesAtService, issues } = system;
  const rows = (what: string) => audit.filter((row) => row.issue_id === id && row.what === what).length;
  const changes = ['resolve', 'mute', 'reopen'] as const;
  const wrong = changes.flatMap((change) => {
    const { status, did } = statusChanges[change];
    const made = steered.filter((one) => one.issueId === id && one.status === status);
    const sure = mayBreakOff === true ? 0 : made.filter(({ certainty }) => certainty === 'once').length;
    const count = rows(did);
    const isRight = count >= sure && count <= made.length;
    return isRight ? [] : [`“${did}” is in the audit ${count} times, done ${sure} to ${made.length} times`];
  });
  const { did } = statusChanges.investigateAgain;
  const most = again.filter(({ issueId }) => issueId === id).length;
  const uuid = issues.find((issue) => issue.id === id)?.uuid;
  const begun = (issuesAtService.find((issue) => issue.uuid === uuid)?.latestVersion ?? 1) - 1;
  const count = rows(did);
  const least = mayBreakOff === true ? 0 : begun - looksAt(id, system);
  if (count < least || count > most) {
    wrong.push(`“${did}” is in the audit ${count} times, begun ${begun} times, wanted ${most} times`);
  }
  return wrong.map((what) => ({ what: `issue ${id} (${title}): ${what}` }));
}

/** Every tick was said to be made, and none of those that stand to be taken back. */
function ofTicks({ id, title }: SystemState['issues'][number], { audit, ticks }: SystemState): Difference[] {
  const said = (words: string) =>
    audit.filter(({ issue_id, what }) => issue_id === id && what.startsWith(words)).length;
  const standing = ticks.filter(({ issue_id }) => issue_id === id).length;
  const [made, back] = [said('did step'), said('unticked step')];
  if (made - back === standing) return [];
  return [{ what: `issue ${id} (${title}) has ${standing} ticks, and in the audit ${made} less ${back}` }];
}

/** What is set for a channel is announced there. */
function ofSettings({ audit, outbox }: SystemState): Difference[] {
  const set = audit.filter(({ channel, what }) => channel !== null && SETS.test(what));
  const announced = outbox.filter(
    ({ kind, payload }) =>
      kind === 'announcement' && SETTING.has(Payload.parse(JSON.parse(payload)).what ?? ''),
  );
  const channels = new Set([...set, ...announced].map(({ channel }) => channel ?? ''));
  return [...channels].flatMap((channel) => {
    const count = (of: readonly { channel: string | null }[]) =>
      of.filter((one) => one.channel === channel).length;
    if (count(set) === count(announced)) return [];
    return [{ what: `${channel} was set ${count(set)} times, and told ${count(announced)} times` }];
  });
}
