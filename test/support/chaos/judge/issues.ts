import { referenceOf } from '../../../../src/bot/filing/reference.ts';
import type { Ledger } from '../ledger.ts';
import type { SystemState } from '../read-state.ts';
import { type Difference, doubles, type Judge } from './difference.ts';
import { isOfAnotherCause, looksAt } from './looks.ts';

/** Each of our issues is one at the service, and the service has none besides. */
export const judgeIssues: Judge = (system, { again, deleted }) => {
  const { issues, issuesAtService } = system;
  const ours = new Map(issues.map((issue) => [issue.uuid, issue]));
  const orphans = issuesAtService
    .filter(({ uuid }) => !ours.has(uuid))
    .map(({ number, title }) => ({ what: `#${number} (${title}) at the service is known to nobody` }));
  const gone = new Set(deleted.map(({ issueId }) => issueId));
  const stand = issues.filter(({ id, state }) => state !== 'gone' || !gone.has(id));
  return [...orphans, ...stand.flatMap((issue) => ofIssue(issue, system, again))];
};

function ofIssue(
  issue: SystemState['issues'][number],
  system: SystemState,
  again: Ledger['again'],
): Difference[] {
  const at = issue.created_at;
  const name = `issue ${issue.id} (#${issue.number} ${issue.title})`;
  const found = system.issuesAtService.filter(({ description }) =>
    description.includes(referenceOf(issue.id)),
  );
  const [one] = found;
  if (one === undefined || found.length > 1) {
    return [{ at, what: `${name} is at the service ${found.length} times: ${found.map((f) => f.number)}` }];
  }
  const wrong: Difference[] = [];
  const expect = (what: string, ours: unknown, theirs: unknown) => {
    if (ours !== theirs) wrong.push({ at, what: `${name}: ${what} is ${ours}, at the service ${theirs}` });
  };
  expect('its uuid', issue.uuid, one.uuid);
  expect('its number', issue.number, one.number);
  expect('its status', issue.status, one.status);
  expect('its version', issue.version, one.latestVersion);
  if (issue.state !== 'created') wrong.push({ at, what: `${name} is ${issue.state}` });
  if (issue.wanted_status !== null) wrong.push({ at, what: `${name} still wants ${issue.wanted_status}` });
  const most = 1 + again.filter(({ issueId }) => issueId === issue.id).length + looksAt(issue.id, system);
  if (one.latestVersion > most)
    wrong.push({ at, what: `${name} was investigated ${one.latestVersion} times, and wanted ${most} times` });
  return wrong;
}

/** One open issue for each identity, and one card for each issue. */
export const judgeCards: Judge = (system) => {
  const { issues, messages, outbox } = system;
  const cards = messages.filter(({ key }) => key?.startsWith('card:') === true);
  return [
    ...doubles(
      issues.flatMap(({ id, identity, state }) =>
        identity === null || state === 'gone' || isOfAnotherCause(id, system) ? [] : [identity],
      ),
    ).map((identity) => ({
      what: `several issues are of ${identity}`,
    })),
    ...issues.flatMap(({ id, title, created_at }) => {
      const count = cards.filter(({ key }) => key === `card:${id}#0`).length;
      return count === 1 ? [] : [{ at: created_at, what: `issue ${id} (${title}) has ${count} cards` }];
    }),
    ...issues
      .filter(({ id, version }) => !outbox.some(({ key }) => tellsTheEnd(key, id, version)))
      .filter(({ status, state }) => status === 'ready_to_fix' && state !== 'gone')
      .map(({ id, title, created_at, version }) => ({
        at: created_at,
        what: `nothing was said of the end of version ${version} of issue ${id} (${title})`,
      })),
  ];
};

function tellsTheEnd(key: string, id: string, version: number): boolean {
  return key === `result:${id}:${version}` || key === `notice:ended:${id}:${version}`;
}
