import type { InvestigationResults, IssueDetail } from '../../../../contract/answers.ts';
import { ServiceError } from '../../../../contract/client/errors.ts';
import { explainServiceError } from '../../../../contract/client/explain-error.ts';
import { canonicalEnvironment } from '../../../alerts/identity.ts';
import type { Deps } from '../../../deps.ts';
import { causeOf, shownStatus } from '../../../issues/cause.ts';
import {
  type ChangeRequest,
  changeIdempotently,
  changeStatus,
  isClosed,
  MUTE_MS,
  reopenThere,
  statusChanges,
} from '../../../issues/change-status.ts';
import { usageIssue } from '../../../render/admin/usage.ts';
import { renderCard } from '../../../render/issues/card.ts';
import type { IssueFilterView } from '../../../render/issues/issue-list.ts';
import {
  countsForAnother,
  noResults,
  notFiledYet,
  onlyInItsChannel,
  statusIsNow,
  statusWasSo,
} from '../../../render/issues/issue-sentences.ts';
import { renderPrivateCard } from '../../../render/issues/short-card.ts';
import { otherIssueWithNumber, overtaken, serviceFailure } from '../../../render/notices.ts';
import type { Rendered } from '../../../render/rendered.ts';
import { renderResults } from '../../../render/results/results.ts';
import { type CardView, UNTOUCHED } from '../../../render/views.ts';
import { atService, type IssueNumber, issueNumber } from '../../../shared/issue-number.ts';
import type { Issue } from '../../../store/issues.ts';
import { isPermitted } from '../../access/rights.ts';
import type { CommandCall, Subcommand } from '../../commands/command.ts';
import { type IssueWish, readIssueWish } from '../../commands/issue-arguments.ts';
import { takeInOrder } from '../../listening/issue-actions.ts';
import { notifyPerson } from '../../listening/notify.ts';
import { cardView, privateView } from '../../messages/cards.ts';
import { catchUpOn } from './catch-up.ts';
import { askToDelete } from './delete.ts';
import { answerFromRecord } from './ending.ts';
import { type Found, findIssue, issueTitle, privateIssueWithNumber, type Viewer } from './find.ts';
import { issuePage, listsPrivate } from './list.ts';

/** `results <n> [v<k>]`: shows an investigation's results privately; the newest version by default. */
async function resultsOf(
  number: IssueNumber,
  version: number | null,
  viewer: Viewer,
  deps: Deps,
): Promise<Rendered[]> {
  const found = await findIssue(number, viewer, deps);
  if ('refused' in found) return [found.refused];
  const { detail, ours } = found;
  if (ours !== null && !(await deps.mayRead({ channel: viewer.channel }, ours))) {
    return [onlyInItsChannel(number)];
  }
  const title = issueTitle(found);
  const latest = detail.latestVersion ?? ours?.version ?? 1;
  try {
    const results =
      version !== null && version > latest
        ? null
        : await fetchResults(number, found, version ?? latest, deps);
    if (results === null) return [noResults({ number, title }, { version, latest, status: detail.status })];
    const notes = ours === null ? [] : await deps.store.notes.ofIssue(ours.id);
    const view = { issueId: ours?.id ?? '', number, title, results, version: version ?? latest, notes };
    return renderResults({ ...view, simulated: deps.simulated });
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error;
    deps.log.warn({ err: error, number, version }, 'could not fetch results');
    return [serviceFailure(explainServiceError(error))];
  }
}

/** From the store if they are there and readable, else from the service (contract 4.6); `null` if it has none. */
async function fetchResults(
  number: IssueNumber,
  { detail, ours }: Found,
  version: number,
  { store, services }: Deps,
): Promise<InvestigationResults | null> {
  const kept = ours === null ? null : ((await store.results.get(ours.id, version))?.results ?? null);
  if (kept !== null) return kept;
  try {
    const { issues } = services.for(atService(number).organization);
    const results = await issues.results(detail.uuid, { version });
    // A running investigation may have empty results.
    const isUnderWay = detail.status === 'investigating' && version === (detail.latestVersion ?? version);
    return isUnderWay && !results.rootCause?.rootCauseSummary ? null : results;
  } catch (error) {
    if (error instanceof ServiceError && error.status === 404) return null;
    throw error;
  }
}

/** The card of an issue that was not filed by Gumshoe, from what the service says. */
function foreignCard(detail: IssueDetail, { clock, simulated }: Deps): CardView {
  const since = Date.parse(detail.updatedAt ?? detail.createdAt ?? '');
  return {
    ...UNTOUCHED,
    issueId: '',
    number: detail.number,
    title: detail.title ?? '',
    severity: detail.severity ?? '',
    environment: detail.environment ?? '',
    service: null,
    status: detail.status,
    statusSince: Number.isNaN(since) ? clock.now() : since,
    source: null,
    alertUrl: null,
    repeats: 0,
    lastRepeatAt: null,
    offers: {
      notSame: false,
      attach: false,
      investigateAgain: false,
      delete: false,
      evidence: false,
      attachTo: null,
    },
    simulated,
  };
}

/** An issue's card with the service's current state; if the issue is gone there, with its last known state. */
async function show(number: IssueNumber, viewer: Viewer, deps: Deps): Promise<Rendered> {
  const { channel } = viewer;
  const now = deps.clock.now();
  const found = await findIssue(number, viewer, deps);
  if ('refused' in found) return (await deletedCard(number, channel, deps)) ?? found.refused;
  const { detail, ours } = found;
  if (!ours) return renderCard({ ...foreignCard(detail, deps), number }, now);
  const { status } = detail;
  return (await deps.mayRead({ channel }, ours))
    ? renderCard(
        {
          ...(await cardView(ours, channel, deps)),
          status: await shown(status, ours, deps),
        },
        now,
      )
    : renderPrivateCard({ ...(await privateView(ours, deps, status)), number });
}

async function shown(status: string, ours: Issue | null, { store }: Deps): Promise<string> {
  return ours === null
    ? status
    : shownStatus(status, { issue: ours, cause: await causeOf(ours, store) }, store);
}

/** `null` if we know of no deleted issue with that number. */
async function deletedCard(number: IssueNumber, channel: string, deps: Deps): Promise<Rendered | null> {
  const ours = await deps.store.issues.byNumber(number);
  if (ours?.state !== 'gone') return null;
  return (await deps.mayRead({ channel }, ours))
    ? renderCard(await cardView(ours, channel, deps), deps.clock.now())
    : renderPrivateCard(await privateView(ours, deps));
}

type Change = 'resolve' | 'mute' | 'reopen' | 'ready';

/**
 * `resolve`, `mute`, `reopen` and `ready`: changes an issue's status, like the buttons of its card.
 *
 * @param forMs how long to mute; `null` for the default
 */
function steer(
  number: IssueNumber,
  change: Change,
  asked: CommandCall,
  deps: Deps,
  forMs: number | null = null,
): Promise<Rendered> {
  return deps.inTurn(`issue ${number}`, () => steerInTurn(number, change, asked, deps, forMs));
}

async function steerInTurn(
  number: IssueNumber,
  change: Change,
  asked: CommandCall,
  deps: Deps,
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
  const mayName = ours === null || (await deps.mayRead({ channel: asked.channel }, ours));
  const issue = { number, title: mayName ? issueTitle(found) || null : null };
  // When retried after a crash, this very command may have made the change.
  const isTakenUp = await deps.store.changes.isBegun(asked.cause);
  if (!isTakenUp && isSo(change, detail, ours))
    return statusWasSo(issue, await shown(detail.status, ours, deps));
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
  return statusIsNow(issue, await shown(status, ours, deps), {
    mutedUntil: isMuted && ours !== null ? until : null,
    isFiring: change === 'resolve' && ours !== null && ours.source !== null && ours.recoveredAt === null,
    reopening: isMuted && ours === null ? `${asked.command} reopen ${number}` : null,
  });
}

async function inTheWay(
  change: Change,
  number: IssueNumber,
  ours: Issue,
  channel: string,
  deps: Deps,
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
  deps: Deps,
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

export const issue: Subcommand = {
  example: 'issue list',
  does: 'everything that `/issue` does, for example `issue resolve 12`',
  run: runIssue,
};

async function runIssue(asked: CommandCall, deps: Deps): Promise<void> {
  const wish = readIssueWish(asked.words);
  if ('verb' in wish && wish.verb === 'delete') await askToDelete(wish.number, asked, deps);
  else
    for (const answer of await answersTo(wish, asked, deps)) await notifyPerson(asked.respond, answer, deps);
  const meant = 'number' in wish ? await meantInstead(wish.number, asked.channel, deps) : null;
  if (meant !== null) await notifyPerson(asked.respond, otherIssueWithNumber(meant), deps);
}

/** If an issue may not be seen here, the private one with the same number, if that may. */
async function meantInstead(number: IssueNumber, channel: string, deps: Deps): Promise<IssueNumber | null> {
  const issue = await deps.store.issues.byNumber(number);
  if (issue === null || (await deps.mayRead({ channel }, issue))) return null;
  return privateIssueWithNumber(number, channel, deps);
}

async function answersTo(
  wish: Exclude<IssueWish, { verb: 'delete' }>,
  asked: CommandCall,
  deps: Deps,
): Promise<Rendered[]> {
  if ('misunderstood' in wish) return [usageIssue(asked.command, wish.misunderstood)];
  switch (wish.verb) {
    case 'list':
      return list(wish.filter, asked, deps);
    case 'show':
      return [await show(wish.number, asked, deps)];
    case 'results':
      return resultsOf(wish.number, wish.version, asked, deps);
    case 'now':
      return [await catchUpOn(wish.number, asked, deps)];
    case 'note':
    case 'notes':
    case 'ticket':
    case 'writeup':
      return [await answerFromRecord(wish, asked, deps)];
    case 'mute':
      return [await steer(wish.number, 'mute', asked, deps, wish.forMs)];
    default:
      return [await steer(wish.number, wish.verb, asked, deps)];
  }
}

/** Issues of the private organization have a list of their own, with its own pages. */
async function list(
  filter: IssueFilterView,
  { command, channel, userId }: CommandCall,
  deps: Deps,
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
