import { z } from 'zod';
import { SlackError } from '../errors.ts';
import { isReady, type StoredFile } from '../files/inspect.ts';
import { mayAppSee, presentFile, showFiles } from '../files/present.ts';
import { completeUpload, removeFile } from '../files/upload.ts';
import { newHex, newId } from '../ids.ts';
import { LIMITS } from '../limits.ts';
import { checkBlocks } from '../validate/check.ts';
import type { WorkspaceContext } from '../workspace-context.ts';
import { json, type Method, method, timestamp, whole } from './method.ts';

const getUploadUrl = method({
  name: 'files.getUploadURLExternal',
  tokens: ['bot'],
  scopes: ['files:write'],
  tier: 4,
  checks: [
    'invalid_arguments',
    'missing_argument',
    'alt_txt_too_large',
    'snippet_too_large',
    'storage_limit_reached',
  ],
  unchecked: [
    'whether Slack knows the kind of snippet',
    'kinds of files that a workspace blocks',
    'the largest file, which Slack does not document',
  ],
  args: z.looseObject({
    filename: z.string().min(1).max(LIMITS.fileTitle),
    length: whole.min(0),
    // Slack's documents call it one, its client the other.
    alt_txt: z.string().default(''),
    alt_text: z.string().default(''),
    snippet_type: z.string().default(''),
  }),
  handle: (context, { filename, length, snippet_type, ...args }) => {
    const { store, random, clock, app, storage } = context;
    const alt = args.alt_txt || args.alt_text;
    if (length === 0) throw new SlackError('missing_argument');
    if (alt.length > LIMITS.fileAlt) throw new SlackError('alt_txt_too_large');
    if (snippet_type !== '' && length > LIMITS.snippet) throw new SlackError('snippet_too_large');
    if (length > storage) throw new SlackError('storage_limit_reached');
    const id = newId(random, 'F');
    const ticket = newHex(random, 24);
    store.files.put({
      id,
      ticket,
      name: filename,
      title: filename,
      alt,
      snippet_type,
      user: app.bot_user_id,
      created: Math.floor(clock.now() / 1000),
      size: length,
      state: 'awaited',
      ready_at: 0,
      kind: { mimetype: '', filetype: '', pretty_type: '' },
      image: null,
      text: null,
    });
    return { upload_url: `${context.origin()}/upload/v1/${ticket}`, file_id: id };
  },
});

const Uploads = z
  .array(
    z.looseObject({
      id: z.string(),
      title: z.string().max(LIMITS.fileTitle).optional(),
      alt_txt: z.string().max(LIMITS.fileAlt).optional(),
    }),
  )
  .min(1);

const complete = method({
  name: 'files.completeUploadExternal',
  tokens: ['bot'],
  scopes: ['files:write'],
  tier: 4,
  checks: [
    'invalid_arguments',
    'file_not_found',
    'channel_not_found',
    'not_in_channel',
    'is_archived',
    'thread_not_found',
    'channels_limit_exceeded',
    'invalid_blocks',
  ],
  unchecked: ['metadata beside a file'],
  args: z.looseObject({
    files: json.pipe(Uploads),
    channel_id: z.string().default(''),
    channels: z.string().default(''),
    thread_ts: timestamp.optional(),
    initial_comment: z.string().default(''),
    blocks: json.optional(),
  }),
  handle: (context, { files, channel_id, channels: list, thread_ts, initial_comment: comment, blocks }) => {
    const channels = [...new Set([channel_id, ...list.split(',')])].filter((id) => id !== '');
    if (channels.length > LIMITS.fileChannels) throw new SlackError('channels_limit_exceeded');
    const hasBlocks = comment === '' && blocks !== undefined && blocks !== '';
    const checked = hasBlocks ? checkBlocks(blocks) : undefined;
    if (checked) showFiles(context, checked, '/blocks', 'invalid_blocks');
    const done = completeUpload(context, {
      files: files.map(({ id, title, alt_txt: alt }) => ({ id, title, alt })),
      channels,
      thread_ts,
      comment,
      blocks: checked,
    });
    return { files: done.map((file) => presentFile(context, file)) };
  },
});

function fileOf(context: WorkspaceContext, id: string): StoredFile {
  const file = context.store.files.get(id);
  if (file?.state === 'deleted') throw new SlackError('file_deleted');
  if (file?.state !== 'complete' || !mayAppSee(context, file)) throw new SlackError('file_not_found');
  return file;
}

const info = method({
  name: 'files.info',
  tokens: ['bot'],
  scopes: ['files:read'],
  tier: 4,
  checks: ['file_not_found', 'file_deleted'],
  unchecked: ['comments, which Slack has given up'],
  args: z.looseObject({ file: z.string() }),
  handle: (context, args) => {
    const file = fileOf(context, args.file);
    const isText = file.text !== null && isReady(file, context.clock.now());
    return {
      file: presentFile(context, file),
      ...(isText && { content: context.store.files.bytes(file.id)?.toString('utf8') ?? '' }),
      comments: [],
      response_metadata: { next_cursor: '' },
    };
  },
});

const list = method({
  name: 'files.list',
  tokens: ['bot'],
  scopes: ['files:read'],
  tier: 3,
  checks: [],
  unchecked: ['`types`, `user` and `show_files_hidden_by_limit`'],
  args: z.looseObject({
    channel: z.string().optional(),
    ts_from: z.coerce.number().default(0),
    ts_to: z.coerce.number().default(Number.POSITIVE_INFINITY),
    count: whole.min(1).max(1000).default(100),
    page: whole.min(1).default(1),
  }),
  handle: (context, { channel, ts_from, ts_to, count, page }) => {
    const { files } = context.store;
    const found = files
      .all()
      .filter(({ state, created }) => state === 'complete' && created >= ts_from && created <= ts_to)
      .filter((file) => mayAppSee(context, file))
      .filter(
        ({ id }) => channel === undefined || files.sharesOf(id).some((share) => share.channel === channel),
      );
    const shown = found.slice((page - 1) * count, page * count);
    return {
      files: shown.map((file) => presentFile(context, file)),
      paging: { count, total: found.length, page, pages: Math.ceil(found.length / count) },
    };
  },
});

const remove = method({
  name: 'files.delete',
  tokens: ['bot'],
  scopes: ['files:write'],
  tier: 3,
  checks: ['file_not_found', 'file_deleted'],
  unchecked: ['settings by which a workspace forbids it'],
  args: z.looseObject({ file: z.string() }),
  handle: (context, args) => {
    removeFile(context, fileOf(context, args.file));
    return {};
  },
});

export const filesMethods: readonly Method[] = [getUploadUrl, complete, info, list, remove];
