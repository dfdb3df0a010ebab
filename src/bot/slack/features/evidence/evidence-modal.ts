import type { ModalView } from '@slack/types';
import { Artifact } from '../../../../contract/answers.ts';
import { ServiceError } from '../../../../contract/client/errors.ts';
import { explainServiceError } from '../../../../contract/client/explain-error.ts';
import { decodeStored } from '../../../../lib/decode-stored.ts';
import { stringsIn } from '../../../asking/confidential.ts';
import {
  type EvidenceEntry,
  type EvidencePlace,
  evidenceModal,
  noEvidence,
  type ShownEvidence,
} from '../../../render/evidence/evidence-modal.ts';
import { issueUnknownHere } from '../../../render/notices.ts';
import { sentenceModal } from '../../../render/sentence-modal.ts';
import { chartKey, rawJsonKey } from '../../../store/intents/keys.ts';
import { fetchArtifacts } from '../../../watching/artifacts.ts';
import { classifySlackError } from '../../errors.ts';
import type { ListenerDeps } from '../../listening/deps.ts';
import type { OpenedView } from '../../listening/open-modal.ts';
import { wantChart } from '../../uploads/charts.ts';
import { type EvidenceSubject, evidenceSubject } from './subject.ts';

const FETCH_MS = 10_000;
const LOOK_MS = 500;
/** For a minute: Slack takes few uploads at once, so a chart may come after many others. */
const MOST_LOOKS = 120;

/** What the modal shows now, from the store alone, and whether there is more to load. */
export async function evidencePage(
  place: EvidencePlace,
  deps: ListenerDeps,
): Promise<{ modal: ModalView; awaited: boolean }> {
  const subject = await evidenceSubject(place, deps);
  if (subject === null) return { modal: sentenceModal(issueUnknownHere()), awaited: false };
  const entry = shownEntry(subject, place);
  if (!entry) return { modal: sentenceModal(noEvidence()), awaited: false };
  const kept = await shownOf(place.owner, entry.id, deps);
  const shown = (await mayShow(subject, entry, kept, deps)) ? kept : ({ state: 'withheld' } as const);
  const isAsked = (await deps.store.outbox.get(rawJsonKey(place.owner, entry.id))) !== null;
  const { number, title, thread } = subject;
  const entries = await listed(subject, deps);
  const rawJson = thread === null ? null : isAsked ? 'asked' : 'offered';
  const { simulated } = deps;
  return {
    modal: evidenceModal({ place, number, title, entries, shown, rawJson, simulated }),
    awaited: shown.state === 'awaited' || (shown.state === 'kept' && shown.picture === 'awaited'),
  };
}

/** The entry at a position; out of bounds, the nearest. */
export function shownEntry<T extends EvidenceEntry>(
  { entries }: { entries: readonly T[] },
  { index }: Pick<EvidencePlace, 'index'>,
): T | undefined {
  return entries[Math.min(Math.max(0, index), entries.length - 1)];
}

/**
 * For a modal that shows something as awaited: fetches what is missing, waits a while for its chart, and updates the modal as
 * they arrive. If the user has closed the modal or turned the page, nothing is updated.
 */
export async function completeEvidence(
  place: EvidencePlace,
  view: OpenedView,
  deps: ListenerDeps,
): Promise<void> {
  const subject = await evidenceSubject(place, deps);
  const entry = subject && shownEntry(subject, place);
  if (!subject || !entry) return;
  let current: OpenedView | null = view;
  const trouble = await fetchShown(place.owner, entry.id, deps);
  if (trouble !== 'there') {
    const { modal, awaited } = await withTrouble(place, trouble, subject, deps);
    current = await updateView(current, modal, deps);
    if (!awaited) return;
  }
  for (let look = 0; current !== null && look < MOST_LOOKS; look++) {
    const { modal, awaited } = await evidencePage(place, deps);
    // A chart may have become ready while Slack was showing the page without it.
    if (!awaited) return void (await updateView(current, modal, deps));
    await deps.clock.sleep(LOOK_MS);
  }
}

async function withTrouble(
  place: EvidencePlace,
  trouble: string | null,
  subject: EvidenceSubject,
  deps: ListenerDeps,
): Promise<{ modal: ModalView; awaited: boolean }> {
  if (trouble === null) return evidencePage(place, deps);
  const { number, title } = subject;
  const entries = await listed(subject, deps);
  const shown = { state: 'failed' as const, trouble };
  const { simulated } = deps;
  return {
    modal: evidenceModal({ place, number, title, entries, shown, rawJson: null, simulated }),
    awaited: true,
  };
}

/** `there` if nothing had to be fetched, `null` once it was, else why it failed. */
async function fetchShown(owner: string, id: string, deps: ListenerDeps): Promise<'there' | string | null> {
  const { store, clock, log } = deps;
  const row = await store.artifacts.get(owner, id);
  if (row?.state === 'missing') return 'there';
  if (row?.state === 'kept') {
    const artifact = row.body === null ? null : decodeStored(Artifact, row.body);
    // Stored before there were charts.
    if (artifact !== null) await wantChart(store, { owner, id, artifact, at: clock.now() });
    return 'there';
  }
  await store.artifacts.want(owner, [id], clock.now());
  try {
    await fetchArtifacts(owner, [id], { ...deps, onKept: wantChart }, AbortSignal.timeout(FETCH_MS));
    return null;
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error;
    log.warn({ err: error, owner }, 'could not fetch evidence for a modal');
    return explainServiceError(error);
  }
}

/** The same, for the piece that would be posted to the thread, where everybody can read it. */
export async function mayShowKept(
  { owner }: EvidencePlace,
  subject: EvidenceSubject,
  entry: EvidenceEntry & { id: string },
  deps: ListenerDeps,
): Promise<boolean> {
  const shown = await shownOf(owner, entry.id, deps);
  // A piece that is not stored yet cannot be compared.
  return shown.state === 'kept' && mayShow(subject, entry, shown, deps);
}

/** Evidence behind an answer may reveal more than the answer does. */
async function mayShow(
  { readers, organization }: EvidenceSubject,
  { title }: EvidenceEntry,
  shown: ShownEvidence,
  { confidential }: Pick<ListenerDeps, 'confidential'>,
): Promise<boolean> {
  if (readers === null) return true;
  const said = shown.state === 'kept' ? stringsIn(shown.artifact) : [];
  return !(await confidential.hides([title, ...said].join('\n\n'), readers, organization));
}

/** Every page lists all pieces, so the title of one that may not be shown is left out there too. */
async function listed(
  { readers, organization, entries }: EvidenceSubject,
  { confidential }: Pick<ListenerDeps, 'confidential'>,
): Promise<EvidenceEntry[]> {
  if (readers === null) return entries;
  const checked: EvidenceEntry[] = [];
  for (const entry of entries) {
    const hides = await confidential.hides(entry.title, readers, organization);
    checked.push(hides ? { ...entry, title: '' } : entry);
  }
  return checked;
}

async function shownOf(owner: string, id: string, { store }: ListenerDeps): Promise<ShownEvidence> {
  const row = await store.artifacts.get(owner, id);
  if (row?.state === 'missing') return { state: 'missing' };
  if (row?.state !== 'kept' || row.body === null) return { state: 'awaited' };
  const artifact = decodeStored(Artifact, row.body);
  if (artifact === null) return { state: 'missing' };
  if (artifact.type !== 'metric') return { state: 'kept', artifact, picture: null };
  const file = await store.files.get(chartKey(owner, id));
  if (file?.state === 'failed') return { state: 'kept', artifact, picture: null };
  const isReady = file?.state === 'ready' && file.fileId !== null;
  const picture = isReady ? { fileId: file.fileId ?? '', alt: file.alt ?? '' } : 'awaited';
  return { state: 'kept', artifact, picture };
}

/** @returns the view as it is now; `null` if the user no longer looks at that page */
export async function updateView(
  { id, hash }: OpenedView,
  modal: ModalView,
  { client, log }: Pick<ListenerDeps, 'client' | 'log'>,
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
