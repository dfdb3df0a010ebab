import type { RespondFn } from '@slack/bolt';
import type { ModalView } from '@slack/types';
import { z } from 'zod';
import { Artifact } from '../../../contract/answers.ts';
import { artifactPlaces } from '../../../contract/client/artifact-refs.ts';
import { ServiceError } from '../../../contract/client/errors.ts';
import { explainServiceError } from '../../../contract/client/explain-error.ts';
import { decodeStored } from '../../../lib/decode-stored.ts';
import { displayName } from '../../../lib/text.ts';
import { artifactsOf } from '../../asking/question.ts';
import type { Deps } from '../../deps.ts';
import type { actionIds } from '../../render/action-ids.ts';
import {
  type EvidenceEntry,
  type EvidencePlace,
  evidenceModal,
  noEvidence,
  type ShownEvidence,
} from '../../render/evidence/evidence-modal.ts';
import { sentenceModal } from '../../render/modal.ts';
import { cameTooLate, issueUnknownHere, notAllowed, notThere, windowIsStale } from '../../render/notices.ts';
import { momentOf } from '../../render/readers-time.ts';
import type { Rendered } from '../../render/rendered.ts';
import { type IssueNumber, issueNumber } from '../../shared/issue-number.ts';
import { questionOf } from '../../store/artifacts.ts';
import { rawJsonIntent } from '../../store/intents/issue-intents.ts';
import { rawJsonKey } from '../../store/intents/keys.ts';
import { fetchArtifacts } from '../../watching/artifacts.ts';
import { isPermitted, ourQuestion } from '../access/rights.ts';
import { classifySlackError } from '../errors.ts';
import type { Feature, Register } from '../listening/feature.ts';
import { onIssueAction } from '../listening/issue-actions.ts';
import { type OpenedView, onModalNumber, openedView, readModalState } from '../listening/modals.ts';
import { notifyPerson } from '../listening/notify.ts';
import { showMetric } from '../uploads/beside-results.ts';

/** What the evidence belongs to: the results of an issue, or an answer. */
interface EvidenceSubject {
  number: IssueNumber | null;
  title: string;
  entries: (EvidenceEntry & { id: string })[];
  /** Where files are uploaded; `null` while there is no thread. */
  thread: { channel: string; threadTs: string } | null;
  issueId: string | null;
  /** The channel of the issue or answer. */
  home: string;
  /** When it happened, if that is known. */
  near: number | null;
}

/** `null` if it does not exist, or not in the channel that the request came from. */
async function evidenceSubject(
  { owner, version, channel }: Pick<EvidencePlace, 'owner' | 'version' | 'channel'>,
  deps: Deps,
): Promise<EvidenceSubject | null> {
  const questionId = questionOf(owner);
  return questionId === null ? ofIssue(owner, version, channel, deps) : ofAnswer(questionId, channel, deps);
}

/** Whether somebody may open this page. Evidence of a private channel is only for its current members. */
async function mayOpen(place: EvidencePlace, person: string, deps: Deps): Promise<boolean> {
  const subject = await evidenceSubject(place, deps);
  if (subject === null || (await deps.mayRead({}, { channel: subject.home }))) return true;
  return deps.mayRead({ person }, { channel: place.channel }, 'now');
}

async function ofIssue(
  issueId: string,
  version: number,
  channel: string,
  deps: Deps,
): Promise<EvidenceSubject | null> {
  const { store } = deps;
  const issue = await store.issues.get(issueId);
  if (!issue || !(await isPermitted('evidence', issue, channel, deps))) return null;
  const results = (await store.results.get(issueId, version))?.results ?? null;
  return {
    number: issueNumber(issue),
    title: displayName(issue),
    entries: results === null ? [] : artifactPlaces(results),
    thread: threadOf(issue.channel, issue.threadTs),
    issueId,
    home: issue.channel,
    near: results === null ? null : momentOf(results),
  };
}

async function ofAnswer(questionId: string, channel: string, deps: Deps): Promise<EvidenceSubject | null> {
  const found = await ourQuestion(questionId, channel, deps);
  if (found === null) return null;
  const { question, conversation } = found;
  return {
    number: null,
    title: question.text,
    entries: artifactsOf(question).flatMap((found) =>
      found.id === undefined || found.id === ''
        ? []
        : [
            {
              id: found.id,
              use: 'answer' as const,
              title: found.summary ?? '',
              description: '',
              dataType: found.data_type ?? '',
              about: '',
            },
          ],
    ),
    thread: threadOf(conversation.channel, conversation.threadTs),
    issueId: conversation.issueId,
    home: conversation.channel,
    near: question.createdAt,
  };
}

function threadOf(channel: string, threadTs: string | null): EvidenceSubject['thread'] {
  return threadTs === null ? null : { channel, threadTs };
}

const FETCH_MS = 10_000;

/** What the modal shows now, from the store alone, and whether there is more to load. */
async function evidencePage(
  place: EvidencePlace,
  deps: Deps,
): Promise<{ modal: ModalView; awaited: boolean }> {
  const subject = await evidenceSubject(place, deps);
  if (subject === null) return { modal: sentenceModal(issueUnknownHere()), awaited: false };
  const entry = shownEntry(subject, place);
  if (!entry) return { modal: sentenceModal(noEvidence()), awaited: false };
  const shown = await shownOf(place.owner, entry.id, deps);
  const isAsked = (await deps.store.outbox.get(rawJsonKey(place.owner, entry.id))) !== null;
  const { number, title, thread, entries, near } = subject;
  const rawJson = thread === null ? null : isAsked ? 'asked' : 'offered';
  const { simulated } = deps;
  return {
    modal: evidenceModal({ place, number, title, entries, near, shown, rawJson, simulated }),
    awaited: shown.state === 'awaited',
  };
}

/** The entry at a position; out of bounds, the nearest. */
function shownEntry<T extends EvidenceEntry>(
  { entries }: { entries: readonly T[] },
  { index }: Pick<EvidencePlace, 'index'>,
): T | undefined {
  return entries[Math.min(Math.max(0, index), entries.length - 1)];
}

/** Fetches what a modal shows as awaited, and updates it; not if the user has closed it or turned the page. */
async function completeEvidence(place: EvidencePlace, view: OpenedView, deps: Deps): Promise<void> {
  const subject = await evidenceSubject(place, deps);
  const entry = subject && shownEntry(subject, place);
  if (!subject || !entry) return;
  const problem = await fetchShown(place.owner, entry.id, deps);
  const { number, title, entries, near } = subject;
  const { simulated } = deps;
  const modal =
    problem === null
      ? (await evidencePage(place, deps)).modal
      : evidenceModal({
          ...{ place, number, title, entries, near, simulated },
          shown: { state: 'failed', problem },
          rawJson: null,
        });
  await updateView(view, modal, deps);
}

/** Why it could not be fetched; `null` if it is there. */
async function fetchShown(owner: string, id: string, deps: Deps): Promise<string | null> {
  const { store, log } = deps;
  const row = await store.artifacts.get(owner, id);
  if (row?.state === 'missing' || row?.state === 'kept') return null;
  await store.artifacts.want(owner, [id]);
  try {
    await fetchArtifacts(owner, [id], { ...deps, onKept: showMetric }, AbortSignal.timeout(FETCH_MS));
    return null;
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error;
    log.warn({ err: error, owner }, 'could not fetch evidence for a modal');
    return explainServiceError(error);
  }
}

async function shownOf(owner: string, id: string, { store }: Deps): Promise<ShownEvidence> {
  const row = await store.artifacts.get(owner, id);
  if (row?.state === 'missing') return { state: 'missing' };
  if (row?.state !== 'kept' || row.body === null) return { state: 'awaited' };
  const artifact = decodeStored(Artifact, row.body);
  return artifact === null ? { state: 'missing' } : { state: 'kept', artifact };
}

/** @returns the view as it is now; `null` if the user no longer looks at that page */
async function updateView(
  { id, hash }: OpenedView,
  modal: ModalView,
  { client, log }: Deps,
): Promise<OpenedView | null> {
  try {
    const { view } = await client.views.update({
      view_id: id,
      ...(hash === '' ? {} : { hash }),
      view: modal,
    });
    return view?.id === undefined || view.hash === undefined ? null : { id: view.id, hash: view.hash };
  } catch (error) {
    const failure = classifySlackError(error);
    const isGone =
      failure.kind === 'refused' && /^(?:hash_conflict|not_found|view_not_found)$/u.test(failure.error);
    if (!isGone) log.warn({ err: error }, 'could not update a page of evidence');
    return null;
  }
}

/** Opens the modal with what the store has, before the trigger expires, and loads the rest afterwards. */
export async function openEvidence(
  place: EvidencePlace,
  triggerId: string,
  respond: RespondFn,
  deps: Deps,
): Promise<void> {
  const { modal, awaited } = await evidencePage(place, deps);
  const view = await openedView(triggerId, modal, deps);
  if (view === null) return notifyPerson(respond, cameTooLate(), deps);
  if (awaited && view.id !== '') await completeEvidence(place, view, deps);
}

/** *Evidence* on a card or under results: opens the evidence modal. */
const evidenceAction = onIssueAction('evidence', async (context, deps) => {
  const { issue, channel, triggerId, respond } = context;
  const version = Number(context.choice ?? issue.endedVersion);
  if (!Number.isSafeInteger(version)) return;
  await openEvidence({ owner: issue.id, version, index: 0, channel }, triggerId, respond, deps);
});

const Place = z.object({ owner: z.string(), version: z.number(), index: z.number(), channel: z.string() });

/** A listener for the buttons and menus of the evidence modal, which turn to another page. */
function onEvidenceModal(
  name: keyof typeof actionIds,
  next: (place: EvidencePlace, chosen: number, deps: Deps) => Promise<EvidencePlace>,
): Register {
  return onModalNumber(name, async ({ view, chosen, userId }, deps) => {
    const opened = { id: view.id, hash: '' };
    const refusal = await deps.people.refusal(userId);
    if (refusal) return void (await updateView(opened, sentenceModal(notAllowed(refusal)), deps));
    const refuse = (why: Rendered) => updateView(opened, sentenceModal(why), deps);
    const remembered = readModalState(Place, view.private_metadata);
    if (remembered === null) return void (await refuse(windowIsStale()));
    if (!(await mayOpen(remembered, userId, deps))) return void (await refuse(notThere()));
    const place = await next(remembered, chosen, deps);
    const { modal, awaited } = await evidencePage(place, deps);
    const shown = await updateView(opened, modal, deps);
    if (awaited && shown !== null) await completeEvidence(place, shown, deps);
  });
}

/** *Previous*, *Next*, and the list of pages; the value is the page. */
const turning = (name: 'evidenceBack' | 'evidenceOn' | 'evidenceJump') =>
  onEvidenceModal(name, async (place, index) => ({ ...place, index }));

const evidenceBack = turning('evidenceBack');
const evidenceOn = turning('evidenceOn');
const evidenceJump = turning('evidenceJump');

/** *Get the raw JSON*: uploads the file to the thread, once. */
const rawJson: Register = onEvidenceModal('rawJson', async (place, _index, deps) => {
  const subject = await evidenceSubject(place, deps);
  const entry = subject && shownEntry(subject, place);
  if (!subject?.thread || !entry) return place;
  if ((await deps.store.artifacts.get(place.owner, entry.id))?.state !== 'kept') return place;
  const { thread, issueId } = subject;
  const artifact = { owner: place.owner, id: entry.id };
  await deps.store.transaction(async (tx) => {
    const intent = rawJsonIntent(artifact, thread, issueId, deps.clock.now());
    if ((await tx.outbox.get(intent.key)) === null) await tx.outbox.want(intent);
  });
  return place;
});

/** The evidence behind an investigation or an answer, in a modal with pages. */
export const evidence: Feature = {
  actions: { evidence: evidenceAction, evidenceBack, evidenceJump, evidenceOn, rawJson },
};
