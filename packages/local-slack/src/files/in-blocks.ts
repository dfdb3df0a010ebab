import type { Fault } from '../validate/explain.ts';
import { refusalFor } from '../validate/explain.ts';
import type { WorkspaceContext } from '../workspace-context.ts';
import { isReady, type StoredFile } from './file.ts';
import { addressesOf } from './present.ts';

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
