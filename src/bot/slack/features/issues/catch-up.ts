import { z } from 'zod';
import type { InvestigationResults } from '../../../../contract/answers.ts';
import { decodeStored } from '../../../../lib/decode-stored.ts';
import type { Deps } from '../../../deps.ts';
import { alertOf } from '../../../filing/occurrence.ts';
import { causeOf, shownStatus } from '../../../issues/cause.ts';
import { statusChanges } from '../../../issues/change-status.ts';
import { checklistOf, stepName } from '../../../issues/checklist.ts';
import { changesIn } from '../../../render/charts/changes.ts';
import { type CatchUpView, renderCatchUp } from '../../../render/issues/catch-up.ts';
import { onlyInItsChannel } from '../../../render/issues/issue-sentences.ts';
import { unknownIssue } from '../../../render/notices.ts';
import type { Rendered } from '../../../render/rendered.ts';
import { type IssueNumber, issueNumber } from '../../../shared/issue-number.ts';
import type { Issue } from '../../../store/issues.ts';
import type { CommandCall } from '../../commands/command.ts';
import type { IssueActionContext } from '../../listening/issue-actions.ts';
import { notifyPerson } from '../../listening/notify.ts';
import { severityOf, statusOf } from '../../messages/cards.ts';

/** `/issue 12 now`: visible only to the person who asks. */
export async function catchUpOn(
  number: IssueNumber,
  { channel }: Pick<CommandCall, 'channel'>,
  deps: Deps,
): Promise<Rendered> {
  const issue = await deps.store.issues.byNumber(number);
  if (issue === null) return unknownIssue(String(number));
  if (!(await deps.mayRead({ channel }, issue))) return onlyInItsChannel(number);
  return renderCatchUp(await catchUpView(issue, deps), deps.clock.now());
}

export async function catchUp({ issue, respond }: IssueActionContext, deps: Deps): Promise<void> {
  await notifyPerson(respond, renderCatchUp(await catchUpView(issue, deps), deps.clock.now()), deps);
}

const STATUS_ACTS: ReadonlySet<string> = new Set(Object.values(statusChanges).map(({ did }) => did));
const Request = z.looseObject({ triggeredAt: z.string().optional() });

async function catchUpView(issue: Issue, { store, simulated }: Deps): Promise<CatchUpView> {
  const latest = await store.results.latest(issue.id);
  const results = latest?.results ?? null;
  const [message] = await store.alerts.ofIssue(issue.id, 1);
  const { host = null, version = null } = message === undefined ? {} : alertOf(message);
  const attachedTo = issue.joinedInto === null ? null : await store.issues.get(issue.joinedInto);
  const ticks = await store.checklistSteps.ofIssue(issue.id);
  const firedAt = Date.parse(decodeStored(Request, issue.request)?.triggeredAt ?? '');
  return {
    number: issueNumber(issue),
    title: issue.title,
    service: issue.service,
    unnamed: [host, version].filter((name) => name !== null),
    severity: severityOf(issue).severity,
    environment: issue.environment,
    status: await shownStatus(statusOf(issue), { issue, cause: await causeOf(issue, store) }, store),
    statusSince: issue.statusSince,
    firedAt: Number.isNaN(firedAt) ? issue.createdAt : firedAt,
    firstSignAt: results === null ? null : firstSignIn(results),
    requestedBy: issue.requestedBy,
    repeats: issue.repeats,
    lastRepeatAt: issue.lastRepeatAt,
    recoveredAt: issue.recoveredAt,
    attachedTo: attachedTo === null ? null : issueNumber(attachedTo),
    verdict:
      latest === null || results === null
        ? null
        : { results, at: await store.results.at(issue.id, latest.version) },
    isInvestigating: issue.state === 'created' && issue.endedVersion < issue.version,
    failure: issue.failure,
    steps: checklistOf(results ?? {}, ticks)
      .flat()
      .map(({ step, required, done }) => ({ name: stepName(step), required, done })),
    acts: (await store.audit.of(issue.id)).filter(({ what }) => STATUS_ACTS.has(what)),
    notes: await store.notes.ofIssue(issue.id),
    votes: await store.votes.ofIssue(issue.id),
    simulated,
  };
}

/** The earliest entry of the timeline that is no change. */
function firstSignIn(results: InvestigationResults): number | null {
  const changes = new Set(changesIn(results).map(({ at }) => at));
  const times = (results.timeline ?? [])
    .map(({ timestamp }) => Date.parse(timestamp ?? ''))
    .filter((at) => !Number.isNaN(at) && !changes.has(at));
  return times.length === 0 ? null : Math.min(...times);
}
