import type { IssueDetail } from '../../../../../contract/answers.ts';
import { ServiceError } from '../../../../../contract/client/errors.ts';
import { explainServiceError } from '../../../../../contract/client/explain-error.ts';
import { atService, type IssueNumber, issueNumber } from '../../../../../lib/issue-number.ts';
import { mayBeShownIn } from '../../../../filing/privacy.ts';
import {
  type ChangeRequest,
  changeIdempotently,
  changeStatus,
  isClosed,
  MUTE_MS,
  reopenThere,
  statusChanges,
} from '../../../../issues/change-status.ts';
import {
  countsForAnother,
  notFiledYet,
  onlyInItsChannel,
  statusIsNow,
  statusWasSo,
} from '../../../../render/issues/issue-sentences.ts';
import { overtaken, serviceFailure } from '../../../../render/notices.ts';
import type { Rendered } from '../../../../render/rendered.ts';
import type { Issue } from '../../../../store/issues.ts';
import { isPermitted } from '../../../access/issue-rights.ts';
import type { CommandCall } from '../../../commands/command.ts';
import type { ListenerDeps } from '../../../listening/deps.ts';
import { takeInOrder } from '../../../listening/out-of-order.ts';
import { findIssue, nameOf } from './find.ts';

type Change = 'resolve' | 'mute' | 'reopen' | 'ready';

/**
 * `resolve`, `mute`, `reopen` and `ready`: changes an issue's status, like the buttons of its card.
 *
 * @param forMs how long to mute; `null` for the default
 */
export function steer(
  number: IssueNumber,
  change: Change,
  asked: CommandCall,
  deps: ListenerDeps,
  forMs: number | null = null,
): Promise<Rendered> {
  return deps.inTurn(`issue ${number}`, () => steerInTurn(number, change, asked, deps, forMs));
}

async function steerInTurn(
  number: IssueNumber,
  change: Change,
  asked: CommandCall,
  deps: ListenerDeps,
  forMs: number | null,
): Promise<Rendered> {
  const found = await findIssue(number, asked, deps);
  if ('refused' in found) return found.refused;
  const { detail, ours } = found;
  const refused = ours === null ? null : await inTheWay(change, number, ours, asked.channel, deps);
  if (refused !== null) return refused;
  const { did } = statusChanges[change];
  const { uuid } = detail;
  const act = { uuid, issueId: ours?.id ?? null, who: asked.userId, what: did, ...asked.moment };
  const later = await takeInOrder(act, deps);
  if (later !== null) return overtaken(later);
  const mayTell = ours === null || (await mayBeShownIn(deps.store, ours.channel, asked.channel));
  const issue = { number, title: mayTell ? nameOf(found) || null : null };
  // When retried after a crash, this very command may have made the change.
  const isTakenUp = await deps.store.changes.isBegun(asked.cause);
  if (!isTakenUp && isSo(change, detail, ours)) return statusWasSo(issue, detail.status);
  let status: string = statusChanges[change].status;
  const until = deps.clock.now() + (forMs ?? MUTE_MS);
  const wish = { who: asked.userId, cause: asked.cause };
  try {
    if (ours === null) status = await changeElsewhere(number, detail, change, wish, deps);
    else status = await changeStatus({ ...ours, uuid: detail.uuid }, change, wish, { ...deps, until });
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error;
    deps.log.warn({ err: error, number, change }, 'could not change a status');
    return serviceFailure(explainServiceError(error));
  }
  const isMuted = change === 'mute';
  return statusIsNow(issue, status, {
    mutedUntil: isMuted && ours !== null ? until : null,
    reopening: isMuted && ours === null ? `${asked.command} reopen ${number}` : null,
  });
}

async function inTheWay(
  change: Change,
  number: IssueNumber,
  ours: Issue,
  channel: string,
  deps: ListenerDeps,
): Promise<Rendered | null> {
  if (!(await isPermitted(change, ours, channel, deps))) return onlyInItsChannel(number);
  if (ours.uuid === null) return notFiledYet(number);
  if (ours.joinedInto === null) return null;
  const other = await deps.store.issues.get(ours.joinedInto);
  return countsForAnother(number, other === null ? null : issueNumber(other));
}

/** Muting a muted issue again changes when it ends. */
function isSo(change: Change, detail: IssueDetail, ours: Issue | null): boolean {
  if (change === 'mute' || (ours !== null && ours.status !== detail.status)) return false;
  if (change === 'reopen') return !isClosed(detail.status);
  return detail.status === statusChanges[change].status;
}

/** An issue that Gumshoe did not file has no card, but the audit log still records who changed it. */
async function changeElsewhere(
  number: IssueNumber,
  { uuid }: IssueDetail,
  change: Change,
  wish: ChangeRequest,
  deps: ListenerDeps,
): Promise<string> {
  const service = deps.services.for(atService(number).organization);
  const wanted = statusChanges[change].status;
  const done = await changeIdempotently(wish, 0, deps, () =>
    change === 'reopen' ? reopenThere(uuid, null, service) : service.issues.update(uuid, wanted),
  );
  if (done === null) return wanted;
  const { status } = done;
  await deps.checkpoint('status: sent');
  const what = `set #${number}, which was filed elsewhere, to ${status}`;
  await deps.store.transaction(async (tx) => {
    await tx.audit.add({ at: deps.clock.now(), who: wish.who, what, issueId: null });
    await tx.changes.recorded(wish.cause);
  });
  await deps.checkpoint('status: recorded');
  return status;
}
