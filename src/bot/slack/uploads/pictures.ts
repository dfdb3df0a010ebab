import { z } from 'zod';
import { InvestigationResults } from '../../../contract/answers.ts';
import { backoffMs, type Checkpoint } from '../../../lib/clock.ts';
import { decodeStored } from '../../../lib/decode-stored.ts';
import { createQueueWorker, type Wakeup, type Worker } from '../../../lib/worker-loop.ts';
import type { ImageRenderer, PictureSource } from '../../render/pictures/image-renderer.ts';
import { changesIn } from '../../render/pictures/picture.ts';
import { causeGraph, isGraphShown } from '../../render/results/causal-chain.ts';
import { isShortened, renderResults } from '../../render/results/results.ts';
import { questionOf } from '../../store/artifacts.ts';
import { type FileRow, type PictureContent, pictureContentOf } from '../../store/files.ts';
import { resultsFileIntent } from '../../store/intents/issue-intents.ts';
import {
  answerKey,
  chartKey,
  graphKey,
  isChartKey,
  type OutboxKey,
  resultKey,
} from '../../store/intents/keys.ts';
import type { Aggregates, Store } from '../../store/open.ts';
import type { StoredArtifact } from '../../watching/artifacts.ts';
import type { OnResults } from '../../watching/sync-issue.ts';
import { call, type Slack, TooEarly } from '../delivery/calls.ts';
import { classifySlackError } from '../errors.ts';
import { resultsInWords } from '../messages/results.ts';
import { reasonOf, referenceOf, uploadBytes } from './files.ts';

const Request = z.looseObject({ triggeredAt: z.string().optional() });

/** A picture as a PNG with its alt text; `null` if there is nothing to show, or it cannot be drawn. */
export async function draw(
  what: PictureContent,
  { store, imageRenderer }: { store: Store; imageRenderer: ImageRenderer },
): Promise<{ bytes: Uint8Array; alt: string } | null> {
  const source = await sourceOf(what, store);
  const picture = source && (await imageRenderer.draw(source));
  const bytes = picture && (await imageRenderer.toPng(picture));
  return picture && bytes ? { bytes, alt: picture.alt } : null;
}

async function sourceOf(what: PictureContent, store: Store): Promise<PictureSource | null> {
  switch (what.picture) {
    case 'graph': {
      const body = await store.results.get(what.issue, what.version);
      if (body === null) return null;
      return { kind: 'graph', results: InvestigationResults.parse(JSON.parse(body)) };
    }
    case 'chart': {
      const artifact = (await store.artifacts.get(what.owner, what.artifact))?.body;
      if (!artifact) return null;
      const latest = (await store.results.latest(what.owner))?.body ?? null;
      const results = latest === null ? null : decodeStored(InvestigationResults, latest);
      const triggeredAt = await triggerOf(what.owner, store);
      return { kind: 'chart', artifact, triggeredAt, changes: changesIn(results ?? {}) };
    }
  }
}

/** When the issue's alert fired, in milliseconds. */
async function triggerOf(issueId: string, { issues }: Store): Promise<number | undefined> {
  const issue = await issues.get(issueId);
  const stated = issue === null ? undefined : decodeStored(Request, issue.request)?.triggeredAt;
  const at = Date.parse(stated ?? '');
  return Number.isNaN(at) ? undefined : at;
}

const BATCH = 10;
/** Slack takes a moment to process a file; it is polled for up to half a minute: 0.3, 0.6, 1.2 … 9.6 seconds apart. */
const FIRST_LOOK_MS = 300;
const LONGEST_WAIT_MS = 9_600;
const MOST_LOOKS = 7;
const MOST_TRIES = 6;
const RETRY = { firstMs: 2_000, maxMs: 60_000 };

export interface PicturesOptions {
  slack: Slack;
  store: Store;
  imageRenderer: ImageRenderer;
  random: () => number;
  checkpoint: Checkpoint;
}

/**
 * Draws and uploads the pictures for messages, and has each message edited once Slack can show its picture. The text never
 * waits for it; if Slack never can, the text form stays.
 */
export function createPictures(options: PicturesOptions & { wakeup: Wakeup }): Worker {
  const { store, slack, wakeup } = options;
  return createQueueWorker({
    round: async (signal) => {
      const now = slack.clock.now();
      const due = await store.files.due(now, BATCH);
      for (const row of due) if (!signal.aborted) await advance(row, options);
      return due.length === BATCH ? 0 : store.files.untilNext(now);
    },
    wakeup,
    onError: (error) => slack.log.error({ err: error }, 'could not process pictures'),
  });
}

/** Advances one picture: draws and uploads it, or checks whether Slack can show it. */
export async function advance(row: FileRow, options: PicturesOptions): Promise<void> {
  try {
    await (row.state === 'wanted' ? make(row, options) : look(row, options));
  } catch (error) {
    await failed(row, error, options);
  }
}

async function make(row: FileRow, options: PicturesOptions): Promise<void> {
  const { store, slack, checkpoint } = options;
  const drawn = await draw(pictureContentOf(row), options);
  // Usually there is nothing to show; a failure to draw has been logged by the image renderer.
  if (drawn === null) return notShown(row, options);
  const name = `${row.key.replace(/\W+/gu, '-').slice(0, 60)}.png`;
  const id = await uploadBytes(slack, { name, ...drawn });
  await checkpoint('picture: uploaded');
  await call(slack, { method: 'files.completeUploadExternal', channel: '' }, (client) =>
    client.files.completeUploadExternal({
      files: [{ id, title: `${name} · ${referenceOf(row.key)}` }],
    }),
  );
  await checkpoint('picture: completed');
  await store.files.processing(row.key, id, drawn.alt, slack.clock.now() + FIRST_LOOK_MS);
}

async function look(row: FileRow, options: PicturesOptions): Promise<void> {
  const { store, slack, checkpoint } = options;
  if (!(await canBeShown(row.fileId ?? '', slack))) {
    if (row.attempts + 1 >= MOST_LOOKS) return giveUp(row, 'never shown', options);
    const wait = Math.min(LONGEST_WAIT_MS, FIRST_LOOK_MS * 2 ** (row.attempts + 1));
    return store.files.again(row.key, slack.clock.now() + wait);
  }
  await store.transaction(async (tx) => {
    await tx.files.ready(row.key);
    if (row.shownBy !== null) await tx.outbox.again(row.shownBy);
  });
  slack.metrics.count('gumshoe_pictures_total', { outcome: 'ready' });
  await checkpoint('picture: ready');
}

/** Until Slack has processed a file, it has no type or is unknown; a message that shows it would be rejected. */
async function canBeShown(fileId: string, slack: Slack): Promise<boolean> {
  try {
    const { file } = await call(slack, { method: 'files.info', channel: '' }, (client) =>
      client.files.info({ file: fileId }),
    );
    return file?.mimetype?.startsWith('image/') === true && file.original_w !== undefined;
  } catch (error) {
    const failure = classifySlackError(error);
    if (failure.kind === 'refused' && failure.error === 'file_not_found') return false;
    throw error;
  }
}

async function giveUp(row: FileRow, why: string, options: PicturesOptions): Promise<void> {
  options.slack.log.warn({ key: row.key, why }, 'cannot show a picture; its text form stays');
  await notShown(row, options);
}

async function notShown(row: FileRow, { store, slack }: PicturesOptions): Promise<void> {
  slack.metrics.count('gumshoe_pictures_total', { outcome: 'failed' });
  await store.transaction(async (tx) => {
    await tx.files.failed(row.key);
    // Without the picture, Slack draws the chart itself.
    if (row.shownBy !== null && isChartKey(row.key)) await tx.outbox.again(row.shownBy);
  });
}

async function failed(row: FileRow, error: unknown, options: PicturesOptions): Promise<void> {
  const { store, slack } = options;
  if (error instanceof TooEarly) return store.files.postpone(row.key, error.until);
  const failure = classifySlackError(error);
  slack.log.warn({ ...reasonOf(error), key: row.key }, 'could not upload a picture to Slack');
  if (failure.kind === 'refused' || row.attempts + 1 >= MOST_TRIES) {
    return giveUp(row, failure.kind === 'refused' ? failure.error : 'failed', options);
  }
  await store.files.again(row.key, slack.clock.now() + backoffMs(row.attempts, RETRY, options.random));
}

/** The graph of the results is drawn first: people see it without asking. */
const AFTER_GRAPH_MS = 3_000;

/** A metric that is kept is shown as a chart, drawn from `at` on; `shownBy`: the message of results that shows it. */
export async function wantChart(
  { files }: Pick<Aggregates, 'files'>,
  { owner, id, artifact, at }: StoredArtifact,
  shownBy: OutboxKey | null = null,
): Promise<void> {
  if (artifact.type !== 'metric') return;
  const question = questionOf(owner);
  await files.want({
    key: chartKey(owner, id),
    issueId: question === null ? owner : null,
    what: { picture: 'chart', owner, artifact: id },
    shownBy: question === null ? shownBy : answerKey(question),
    at,
  });
}

/** The same for what results refer to: after what people see without asking, and in their message too. */
export async function wantChartLater(tx: Aggregates, kept: StoredArtifact): Promise<void> {
  if (questionOf(kept.owner) !== null) return wantChart(tx, kept);
  const issue = await tx.issues.get(kept.owner);
  const shownBy = issue === null ? null : resultKey(issue.id, issue.endedVersion);
  await wantChart(tx, { ...kept, at: kept.at + AFTER_GRAPH_MS }, shownBy);
}

/**
 * What comes beside the message of results, asked for when they are stored: the picture of their graph, and all of them
 * as a file where the message has to shorten them.
 */
export function wantBesideResults({ simulated }: { simulated: boolean }): OnResults {
  return async (tx, { issueId, version, results, at, isFolded }) => {
    const issue = await tx.issues.get(issueId);
    if (issue === null) return;
    await tx.files.want({
      key: graphKey(issueId, version),
      issueId,
      what: { picture: 'graph', issue: issueId, version },
      shownBy: !isFolded && isGraphShown(causeGraph(results), results) ? resultKey(issueId, version) : null,
      at,
    });
    if (isFolded) return;
    const words = renderResults(
      await resultsInWords(issue, { version, results, isNew: true, simulated }, tx),
    );
    if (!isShortened(words, results)) return;
    const intent = resultsFileIntent(issue, version, at);
    if ((await tx.outbox.get(intent.key)) === null) await tx.outbox.want(intent);
  };
}
