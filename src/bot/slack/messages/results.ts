import { Artifact, type InvestigationResults } from '../../../contract/answers.ts';
import { artifactPlaces } from '../../../contract/client/artifact-refs.ts';
import { ServiceError } from '../../../contract/client/errors.ts';
import { explainServiceError } from '../../../contract/client/explain-error.ts';
import { decodeStored } from '../../../lib/decode-stored.ts';
import { displayName } from '../../../lib/text.ts';
import { causeKeyOf } from '../../issues/cause.ts';
import { checklistOf, progressOf } from '../../issues/checklist.ts';
import { openAbout } from '../../issues/incident.ts';
import { lastTimeOf } from '../../issues/last-time.ts';
import { predictionOf } from '../../record/keep.ts';
import { askHere } from '../../render/asking/thread-notices.ts';
import { rawJsonOf } from '../../render/evidence/evidence-modal.ts';
import type { HeadView } from '../../render/issues/incident.ts';
import { renderPaged } from '../../render/issues/owners.ts';
import {
  anotherCause,
  becameSymptom,
  endedWithoutResults,
  investigationFailed,
  lookedAgain,
  type NoticeIssue,
  parted,
  saidAbove,
  takesLong,
} from '../../render/notices.ts';
import type { Rendered } from '../../render/rendered.ts';
import { renderResults, renderSymptom } from '../../render/results/results.ts';
import { resultsFile } from '../../render/results/results-file.ts';
import { noTrial, trialFailed } from '../../render/settings/announcements.ts';
import type { ChecklistView, ResultsView } from '../../render/views.ts';
import { type IssueNumber, issueNumber } from '../../shared/issue-number.ts';
import { type OutboxKey, resultKey, symptomKey } from '../../store/intents/keys.ts';
import { type Payload, payloadOf } from '../../store/intents/payloads.ts';
import type { Issue } from '../../store/issues.ts';
import type { Aggregates, Store } from '../../store/open.ts';
import type { OutboxRow } from '../../store/outbox.ts';
import type { Content } from '../delivery/content.ts';
import { readSent } from '../delivery/sent.ts';
import { headView, statusOf } from './cards.ts';
import { askOwner } from './owners.ts';
import { runbookViews } from './runbooks.ts';
import { beforeItsCard, type ContentDeps, type ContentSource, readable } from './source.ts';
import { writeup } from './writeup.ts';

/** How often the service is asked how far it is. */
const AGAIN_MS = 5_000;
/** For this long the asker has seen nothing. */
const LONGEST_MS = 60 * 60_000;

/** The page of a trial, to whoever asked for it, once the service has it: it goes on where either was restarted. */
async function trial(row: OutboxRow, days: number, { trial: ask, clock }: ContentDeps): Promise<Content> {
  const { channel, threadTs } = row;
  const say = (part: Rendered): Content => ({ kind: 'messages', parts: [part], channel, threadTs });
  const isLate = clock.now() - row.createdAt > LONGEST_MS;
  try {
    const answer = (await ask?.(days)) ?? null;
    if (answer === null) return say(noTrial());
    if (answer.state === 'failed') return say(trialFailed(answer.reason));
    if (answer.state === 'running')
      return isLate ? say(trialFailed('It took more than an hour.')) : { kind: 'later', ms: AGAIN_MS };
    const title = answer.lines[0] ?? `The last ${days} days`;
    const bytes = new TextEncoder().encode(answer.page);
    return { kind: 'file', channel, threadTs, name: `trial-${days}-days.html`, title, bytes };
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error;
    return isLate ? say(trialFailed(explainServiceError(error))) : { kind: 'later', ms: 6 * AGAIN_MS };
  }
}

/** States in which an issue cannot be resolved. */
const CLOSED = new Set(['resolved', 'deleted', 'failed', 'filing']);

/**
 * The state of a checklist: which steps people have done.
 *
 * @param isNew whether the message is yet to be posted. A new message notifies the people it mentions, an edit does
 *   not, so steps done in an earlier version are attributed in an edit.
 */
async function checklistView(
  issue: Issue,
  results: InvestigationResults,
  isNew: boolean,
  store: Pick<Aggregates, 'checklistSteps'>,
): Promise<ChecklistView> {
  const steps = checklistOf(results, await store.checklistSteps.ofIssue(issue.id));
  const progress = progressOf(steps.flat());
  return {
    steps: steps.map((list) =>
      list.map(({ key, done }) => ({
        key,
        done: done === null ? null : { by: isNew ? null : done.by, at: done.at },
      })),
    ),
    progress,
    offersResolve: progress?.complete === true && issue.joinedInto === null && !CLOSED.has(statusOf(issue)),
  };
}

/** More than are drawn: those whose numbers the verdict states. */
const MOST_METRICS = 6;

export const result: ContentSource = async (row, deps) => {
  const { store, simulated } = deps;
  const issue = row.issueId === null ? null : await store.issues.get(row.issueId);
  const { version, isSaid, isAsBefore } = payloadOf('result', row);
  const shown = issue === null || isAsBefore ? version : await newestLike(issue, version, store);
  const stored = issue ? await store.results.get(issue.id, shown) : null;
  if (!issue || stored === null || issueNumber(issue) === null) return { kind: 'nothing' };
  const early = await beforeItsCard(issue, store);
  if (early) return early;
  const results = readable(stored);
  const isNew = row.deliveredAt === 0;
  const { channel, threadTs } = issue;
  const posted = readSent(row.sent)?.length ?? 0;
  const head = await headOf(issue, deps);
  if (isSaid && posted === 0 && (isAsBefore || head !== null)) return { kind: 'nothing' };
  const of = { version: shown, since: version, results, isNew, simulated };
  // What a message says was found stays, whatever a later look finds.
  if (posted > 0 && head !== null && (shown < issue.endedVersion || (await wasPutUnder(issue, store))))
    return { kind: 'nothing' };
  const words = await resultsInWords(issue, of, store);
  if (head !== null) {
    return { kind: 'messages', parts: renderSymptom(words, head, posted || 1), channel, threadTs };
  }
  const before = isAsBefore ? await resultsAbove(issue, version, deps) : null;
  if (before !== null) {
    const about = { number: words.number, title: words.title, simulated };
    const line = lookedAgain(about, { was: before.results, now: results, url: before.url });
    return { kind: 'messages', parts: [line], channel, threadTs };
  }
  const parts = renderResults({
    ...words,
    customers: results.customers,
    runbooks: await runbookViews(issue, results, deps),
    metrics: await metricsOf(issue.id, results, store),
  });
  const { settings } = await store.channels.get(issue.channel);
  return {
    kind: 'messages',
    // What an earlier version said in more messages is not left standing below.
    parts: [...parts, ...Array.from({ length: posted - parts.length }, () => saidAbove(words.number))],
    channel,
    threadTs,
    broadcast: settings.broadcast,
    // Steps done in an earlier version are attributed in an edit, which notifies nobody.
    editFollows: isNew && (words.checklist?.progress?.done ?? 0) > 0,
  };
};

/** The newest version that found what this one did, which its message shows. */
async function newestLike({ id, endedVersion }: Issue, version: number, { outbox }: Store): Promise<number> {
  let shown = version;
  for (let later = version + 1; later <= endedVersion; later += 1) {
    const row = await outbox.get(resultKey(id, later));
    if (row !== null && !payloadOf('result', row).isAsBefore) break;
    if (row !== null) shown = later;
  }
  return shown;
}

/** What the version before found, and the message that shows it; `null` if that is gone. */
async function resultsAbove({ id, channel }: Issue, version: number, { store, permalink }: ContentDeps) {
  const before = await store.results.before(id, version);
  for (let earlier = version - 1; before?.results != null && earlier > 0; earlier -= 1) {
    const row = await store.outbox.get(resultKey(id, earlier));
    if (row === null || payloadOf('result', row).isAsBefore) continue;
    const [message] = readSent(row.sent) ?? [];
    return { results: before.results, url: message === undefined ? null : permalink(channel, message.ts) };
  }
  return null;
}

/** Whether another issue's results made a symptom of it: its thread says so, below its own verdict. */
async function wasPutUnder({ id, symptomOf }: Issue, { outbox }: Store): Promise<boolean> {
  return symptomOf !== null && (await outbox.get(symptomKey(id, symptomOf))) !== null;
}

async function headOf({ symptomOf, channel }: Issue, deps: ContentDeps): Promise<HeadView | null> {
  return symptomOf === null ? null : headView(await deps.store.issues.get(symptomOf), channel, deps);
}

/** Results without metrics; `isNew` while their message is yet to be posted, `since` the version that it was posted with. */
export async function resultsInWords(
  issue: Issue,
  of: {
    version: number;
    since?: number;
    results: InvestigationResults;
    isNew: boolean;
    simulated: boolean;
  },
  store: Aggregates,
): Promise<ResultsView> {
  const { version, since = version, results, isNew, simulated } = of;
  return {
    issueId: issue.id,
    number: issueNumber(issue) ?? 0,
    version,
    title: displayName(issue),
    results,
    before: await versionBefore(issue.id, { version, results }, store),
    last: await lastTimeOf(issue, { version: since, results }, store),
    evidence: artifactPlaces(results).length > 0,
    openAbout: await openAbout(store, issue, results),
    prediction: await predictionOf(issue.id, version, store),
    notes: (await store.notes.ofIssue(issue.id)).map((note) => ({ ...note, who: isNew ? null : note.who })),
    checklist: await checklistView(issue, results, isNew, store),
    simulated,
  };
}

function metricsOf(issueId: string, results: InvestigationResults, store: Store): Promise<Artifact[]> {
  const ids = artifactPlaces(results)
    .filter(({ use, dataType }) => use === 'counts' && dataType === 'metric')
    .map(({ id }) => id);
  return artifactsKept(issueId, [...new Set(ids)].slice(0, MOST_METRICS), store);
}

export async function artifactsKept(
  owner: string,
  ids: readonly string[],
  store: Store,
): Promise<Artifact[]> {
  const rows = await Promise.all(ids.map((id) => store.artifacts.get(owner, id)));
  return rows.flatMap((row) => {
    const artifact = row?.body ? decodeStored(Artifact, row.body) : null;
    return artifact === null ? [] : [artifact];
  });
}

async function versionBefore(
  issueId: string,
  { version, results }: { version: number; results: InvestigationResults },
  store: Pick<Aggregates, 'results'>,
): Promise<NonNullable<ResultsView['before']> | null> {
  const older = await store.results.before(issueId, version);
  if (!older?.results) return null;
  const isSame = causeKeyOf(older.results) === causeKeyOf(results);
  return { version: older.version, results: older.results, isSame };
}

type Notice = Exclude<
  Payload<'notice'>['notice'],
  'ask_owner' | 'another_cause' | 'symptom' | 'parted' | 'paged' | 'page_over'
>;

export const notice: ContentSource = async (row, deps) => {
  const { store, simulated } = deps;
  const issue = row.issueId === null ? null : await store.issues.get(row.issueId);
  if (!issue) return { kind: 'nothing' };
  const early = await beforeItsCard(issue, store);
  if (early) return early;
  const payload = payloadOf('notice', row);
  if (payload.notice === 'ask_owner') return askOwner(row, issue, payload, deps);
  const about = { number: issueNumber(issue) ?? 0, title: displayName(issue), simulated };
  const line = await noticeLine(payload, payload.notice, issue, about, deps);
  if (line === null) return { kind: 'nothing' };
  return { kind: 'messages', parts: [line], channel: issue.channel, threadTs: issue.threadTs };
};

/** A line in an issue's thread; `null` where it is not true any more. */
async function noticeLine(
  payload: Payload<'notice'>,
  which: Exclude<Payload<'notice'>['notice'], 'ask_owner'>,
  issue: Issue,
  about: NoticeIssue,
  deps: ContentDeps,
): Promise<Rendered | null> {
  const other = () => otherIssue(payload.other, issue.channel, deps);
  switch (which) {
    case 'paged':
    case 'page_over': {
      const { owner = '', tool = '', by = '', reason: failure = null } = payload;
      return renderPaged(which === 'page_over', { owner, tool, by, failure });
    }
    case 'symptom': {
      // Put under another one since, or standing for itself again: another line says so, or none is needed.
      const head = issue.symptomOf === payload.other ? await headOf(issue, deps) : null;
      return head === null ? null : becameSymptom(about, head);
    }
    case 'parted':
      return parted(about, await other(), issue.apartFrom === payload.other);
    case 'another_cause':
      return anotherCause(about, causesIn(payload), await other());
    default:
      return rendered(which, about, payload.reason);
  }
}

function causesIn({ was = '', now = '' }: Payload<'notice'>) {
  return { was, now };
}

/** Another issue as far as the readers of a channel may know of it. */
async function otherIssue(
  id: string | undefined,
  channel: string,
  { store, mayRead, permalink }: ContentDeps,
): Promise<{ number: IssueNumber | null; url: string | null }> {
  const other = id === undefined ? null : await store.issues.get(id);
  if (other === null || !(await mayRead({ channel }, other))) return { number: null, url: null };
  const { threadTs } = other;
  return {
    number: issueNumber(other),
    url: threadTs === null ? null : permalink(other.channel, threadTs),
  };
}

function rendered(which: Notice, issue: NoticeIssue, reason: string | undefined): Rendered {
  switch (which) {
    case 'nothing':
      return endedWithoutResults(issue);
    case 'failed':
      return investigationFailed(issue, reason);
    case 'slow':
      return takesLong(issue);
    case 'ask_here':
      return askHere(issue);
  }
}

/** A file in a thread, with what did not fit into the message. */
export const file: ContentSource = async (row, deps): Promise<Content> => {
  const payload = payloadOf('file', row);
  if (payload.file === 'writeup') return writeup(payload.issue, deps);
  if (payload.file === 'trial') return trial(row, payload.days, deps);
  return payload.file === 'results' ? results(payload, deps) : rawJson(payload, row, deps);
};

/** Goes to the issue's current thread, like the message that it follows. */
async function results(
  { issue: issueId, version, after }: Extract<Payload<'file'>, { file: 'results' }>,
  deps: ContentDeps,
): Promise<Content> {
  const { store, simulated } = deps;
  if (!(await isWhole(after, deps))) return { kind: 'later' };
  const issue = await store.issues.get(issueId);
  const stored = await store.results.get(issueId, version);
  const number = issue === null ? null : issueNumber(issue);
  if (!issue || number === null || stored === null) return { kind: 'nothing' };
  const early = await beforeItsCard(issue, store);
  if (early) return early;
  const found = readable(stored);
  const title = displayName(issue);
  const { text, ...named } = resultsFile({ issueId, number, title, version, results: found, simulated });
  const { channel, threadTs } = issue;
  return { kind: 'file', channel, threadTs, ...named, bytes: new TextEncoder().encode(text) };
}

async function rawJson(
  { owner, id }: Extract<Payload<'file'>, { file: 'artifact' }>,
  { channel, threadTs }: OutboxRow,
  { store }: ContentDeps,
): Promise<Content> {
  const row = await store.artifacts.get(owner, id);
  if (!row?.body) return { kind: 'nothing' };
  return { kind: 'file', channel, threadTs, ...rawJsonOf(Artifact.parse(JSON.parse(row.body))) };
}

/** Whether every part of the message that it belongs to is posted, or never will be. */
async function isWhole(key: OutboxKey | undefined, { store }: ContentDeps): Promise<boolean> {
  const row = key === undefined ? null : await store.outbox.get(key);
  return row === null || row.state === 'dead' || row.done > 0;
}
