import type { Message } from '../entities.ts';
import type { PageFile } from '../page-api.ts';
import type { FileStore } from '../store/files.ts';
import { type Fault, refusalFor } from '../validate/explain.ts';
import type { WorkspaceFile } from '../workspace.ts';
import type { WorkspaceContext } from '../workspace-context.ts';
import { isReady, type StoredFile } from './inspect.ts';

const THUMBS = [64, 80, 160, 360, 480, 720] as const;

/** The addresses of a file: with the app's token its bytes, and for people its page. */
function addressesOf(context: WorkspaceContext, { id, name, user }: StoredFile) {
  const place = `${context.origin()}/files-pri/${context.team.id}-${id}`;
  const slug = encodeURIComponent(name.toLowerCase().replaceAll(' ', '_'));
  return {
    url_private: `${place}/${slug}`,
    url_private_download: `${place}/download/${slug}`,
    permalink: new URL(`files/${user}/${id}/${slug}`, context.pageUrl).href,
  };
}

/** Where a file is shown, as Slack lists it: by channel, with the message and its thread. */
function sharesOf({ store, team }: WorkspaceContext, id: string): object {
  const found = store.files.sharesOf(id).flatMap(({ channel: channelId, ts }) => {
    const channel = store.channels.get(channelId);
    const message = store.messages.get(channelId, ts);
    if (!channel || !message) return [];
    const { thread_ts } = message;
    const share = { ts, channel_name: channel.name, team_id: team.id, ...(thread_ts && { thread_ts }) };
    return { channel, share };
  });
  const ids = (kind: (typeof found)[number]['channel'][]) => [...new Set(kind.map((channel) => channel.id))];
  const channels = found.map(({ channel }) => channel);
  const grouped = (isPrivate: boolean) => {
    const some = found.filter(({ channel }) => channel.is_private === isPrivate);
    if (some.length === 0) return {};
    const byChannel = Map.groupBy(some, ({ channel }) => channel.id);
    const entries = [...byChannel].map(([key, list]) => [key, list.map(({ share }) => share)]);
    return { [isPrivate ? 'private' : 'public']: Object.fromEntries(entries) };
  };
  return {
    is_public: channels.some(({ is_private }) => !is_private),
    channels: ids(channels.filter(({ is_private }) => !is_private)),
    groups: ids(channels.filter(({ is_private, is_im }) => is_private && !is_im)),
    ims: ids(channels.filter(({ is_im }) => is_im)),
    shares: { ...grouped(false), ...grouped(true) },
  };
}

function pictureFields({ image }: StoredFile, url: string): object {
  if (!image) return {};
  const { width, height } = image;
  const thumbs = THUMBS.flatMap((size): [string, string | number][] => {
    if (size > 160 && size > Math.max(width, height) && size !== 360) return [];
    const scale = Math.min(1, size / Math.max(width, height));
    const sides: [string, number][] = [
      [`thumb_${size}_w`, Math.round(width * scale)],
      [`thumb_${size}_h`, Math.round(height * scale)],
    ];
    return [[`thumb_${size}`, url], ...(size < 360 ? [] : sides)];
  });
  return { original_w: width, original_h: height, ...Object.fromEntries(thumbs) };
}

/**
 * A file as the Web API gives it. Until Slack has looked at it, it does not know what the file is: no kind, no
 * thumbnails, no shares. A deleted one is a tombstone.
 */
export function presentFile(context: WorkspaceContext, file: StoredFile): object {
  const { id, name, title, created, user, size, snippet_type, alt, text, state } = file;
  if (state === 'deleted') return { id, mode: 'tombstone' };
  const ready = isReady(file, context.clock.now());
  const kind = ready ? file.kind : { mimetype: '', filetype: '', pretty_type: '' };
  const addresses = addressesOf(context, file);
  return {
    id,
    created,
    timestamp: created,
    name,
    title,
    ...kind,
    user,
    user_team: context.store.users.get(user)?.team_id ?? context.team.id,
    editable: snippet_type !== '',
    size,
    mode: snippet_type === '' ? 'hosted' : 'snippet',
    is_external: false,
    external_type: '',
    is_public: false,
    public_url_shared: false,
    display_as_bot: false,
    username: '',
    ...addresses,
    ...(alt !== '' && { alt_txt: alt }),
    ...(ready && pictureFields(file, addresses.url_private)),
    ...(ready && text && { ...text, preview_is_truncated: text.lines_more > 0 }),
    comments_count: 0,
    is_starred: false,
    has_rich_preview: false,
    file_access: 'visible',
    channels: [],
    groups: [],
    ims: [],
    shares: {},
    ...(ready && sharesOf(context, id)),
  };
}

const filesOf = ({ store }: WorkspaceContext, ids: readonly string[]): StoredFile[] =>
  ids.flatMap((id) => store.files.get(id) ?? []);

/** A message with its files, instead of their ids. */
export function withFiles(context: WorkspaceContext, { file_ids, ...message }: Message) {
  if (!file_ids) return message;
  const files = filesOf(context, file_ids).map((file) => presentFile(context, file));
  return { ...message, files, upload: false, display_as_bot: false };
}

function onPage({ id, name, title, alt, size, state, kind, image, text }: StoredFile): PageFile {
  if (state === 'deleted') return { id, state: 'deleted', name: '', title: '', kind: '', size: 0 };
  return {
    id,
    state: 'ready',
    name,
    title,
    kind: kind.pretty_type,
    size,
    ...(alt !== '' && { alt }),
    ...(image && { image }),
    ...(text && { preview: text.preview, lines_more: text.lines_more }),
  };
}

export function pageFilesOf(context: WorkspaceContext, { file_ids = [] }: Message): PageFile[] {
  return filesOf(context, file_ids).map(onPage);
}

/** Whether the app may see a file: its own, or one that is in a conversation that it is in. */
export function mayAppSee({ store, app }: WorkspaceContext, { id, user }: StoredFile): boolean {
  if (user === app.bot_user_id) return true;
  return store.files.sharesOf(id).some(({ channel }) => store.channels.isMember(channel, app.bot_user_id));
}

/** The files that the app has completed and not deleted, the newest first; `app` is its user's id. */
export function completedFiles(files: FileStore, app: string): WorkspaceFile[] {
  return files
    .all()
    .filter(({ state, user }) => state === 'complete' && user === app)
    .map(({ id, name, title, alt, size, kind: { mimetype } }) => {
      return { id, name, title, mimetype, alt, size, shares: files.sharesOf(id) };
    });
}

interface Named {
  path: PropertyKey[];
  file: { id?: unknown; url?: unknown };
}

/** Every `slack_file` of an image below a value, with its place. */
function named(value: unknown, path: PropertyKey[] = []): Named[] {
  if (Array.isArray(value)) return value.flatMap((item, index) => named(item, [...path, index]));
  if (typeof value !== 'object' || value === null) return [];
  const below = Object.entries(value).flatMap(([key, item]) => named(item, [...path, key]));
  if (!('type' in value) || value.type !== 'image' || !('slack_file' in value)) return below;
  const { slack_file: file } = value;
  return typeof file === 'object' && file !== null ? [{ path: [...path, 'slack_file'], file }] : below;
}

function fileOf(context: WorkspaceContext, { id, url }: Named['file']): StoredFile | undefined {
  if (typeof id === 'string') return context.store.files.get(id);
  const [, inUrl = ''] = /[-/](F[A-Z0-9]{8,})\//.exec(String(url)) ?? [];
  const file = context.store.files.get(inUrl);
  const { url_private, permalink } = file ? addressesOf(context, file) : {};
  return url === url_private || url === permalink ? file : undefined;
}

/**
 * The files that blocks show as pictures: each must be a picture of the app's that Slack has looked at. From then on
 * people see them.
 *
 * @param pointer where the blocks stand, as a JSON pointer, for the messages.
 * @throws SlackError `code` with every file that cannot be shown (yet).
 */
export function showFiles(context: WorkspaceContext, blocks: unknown, pointer: string, code: string): void {
  const found = named(blocks).map(({ path, file }) => ({ path, file: fileOf(context, file) }));
  const faults: Fault[] = found
    .filter(({ file }) => !file?.image || !isReady(file, context.clock.now()))
    .map(({ path }) => ({ message: 'invalid slack file', path }));
  if (faults.length > 0) throw refusalFor(code, faults, pointer);
  for (const { file } of found) if (file) context.store.files.use(file.id);
}
