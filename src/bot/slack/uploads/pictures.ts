import { backoffMs } from '../../../lib/backoff.ts';
import type { Checkpoint } from '../../../lib/checkpoint.ts';
import type { Wakeup } from '../../../lib/wakeup.ts';
import { createWorkerLoop, type Worker } from '../../../lib/worker-loop.ts';
import type { ImageRenderer } from '../../render/pictures/image-renderer.ts';
import { type FileRow, pictureContentOf } from '../../store/files.ts';
import { isChartKey } from '../../store/intents/keys.ts';
import type { Store } from '../../store/open.ts';
import { call, type Slack, TooEarly } from '../delivery/calls.ts';
import { classifySlackError } from '../errors.ts';
import { draw } from './draw.ts';
import { reasonOf, referenceOf, uploadBytes } from './upload.ts';

const BATCH = 10;
const IDLE_MS = 500;
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
  return createWorkerLoop({
    round: async (signal) => {
      for (const row of await store.files.due(slack.clock.now(), BATCH)) {
        if (!signal.aborted) await advance(row, options);
      }
    },
    rest: (signal) => wakeup.wait(IDLE_MS, signal),
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
