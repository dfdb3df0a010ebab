import type { AskedFile } from '../../asking/asked-file.ts';
import type { ReadFile } from '../../asking/materials.ts';
import type { Slack } from '../delivery/calls.ts';
import { isTextKind } from './text-kinds.ts';

const MAX_BYTES = 50_000;
const PATIENCE_MS = 10_000;
const NO_TEXT = 'no text file';
const TOO_LARGE = 'larger than 50 kB';
const UNREAD = 'could not be read from Slack';

/** Slack did not give the file. The message bears neither its address nor the token. */
class FileError extends Error {
  override name = 'FileError';
}

/** Reads a file that somebody attached, where it is a text of up to 50 kB. Never rejects. */
export async function readFile(
  file: AskedFile,
  { slack, botToken, apiUrl }: { slack: Slack; botToken: string; apiUrl: string },
): Promise<ReadFile> {
  const { id, name } = file;
  const count = (outcome: string) =>
    slack.metrics.count('gumshoe_materials_total', { kind: 'file', outcome });
  const notRead = (reason: string, outcome: string): ReadFile => {
    count(outcome);
    return { name, notRead: reason };
  };
  // Of a file of another organisation Slack may tell nothing but its id.
  if (file.url === null) return notRead(UNREAD, 'failed');
  if (!isTextKind(file)) return notRead(NO_TEXT, 'no_text');
  if (file.size > MAX_BYTES) return notRead(TOO_LARGE, 'too_large');
  const address = addressOf(file, apiUrl);
  if (address === null) return notRead(UNREAD, 'failed');
  const ended = new AbortController();
  const late = slack.clock.sleep(PATIENCE_MS, ended.signal).then(
    () => ended.abort(),
    () => undefined,
  );
  try {
    const bytes = await download(address, file, botToken, slack.fetch ?? globalThis.fetch, ended.signal);
    if (bytes === null) return notRead(TOO_LARGE, 'too_large');
    const text = textIn(bytes);
    if (text === null) return notRead(NO_TEXT, 'no_text');
    count('read');
    return { name, text };
  } catch (error) {
    slack.log.warn({ err: error, file: id }, 'an attached file could not be read');
    return notRead(UNREAD, 'failed');
  } finally {
    ended.abort();
    await late;
  }
}

/** Where the token may be sent: Slack's own hosts, and where its Web API is. `null` for every other address. */
function addressOf({ url }: AskedFile, apiUrl: string): URL | null {
  const address = url === null ? null : URL.parse(url);
  if (address === null || address.username !== '' || address.password !== '') return null;
  const isSlack =
    address.protocol === 'https:' &&
    address.port === '' &&
    /^(?:[\w-]+\.)+slack\.com$/u.test(address.hostname);
  return isSlack || address.origin === URL.parse(apiUrl)?.origin ? address : null;
}

/** @returns `null` as soon as there are more bytes than may be read, whatever Slack said of its size. */
async function download(
  address: URL,
  file: AskedFile,
  botToken: string,
  fetch: typeof globalThis.fetch,
  signal: AbortSignal,
): Promise<Uint8Array | null> {
  const response = await fetch(address, {
    headers: { authorization: `Bearer ${botToken}` },
    redirect: 'error',
    signal,
  });
  if (!response.ok) throw new FileError(`Slack answered HTTP ${response.status} to the request for a file`);
  const bytes = await upTo(MAX_BYTES, response);
  // Whom Slack does not let in it shows its page for signing in, as a success.
  const isPage = (response.headers.get('content-type') ?? '').startsWith('text/html');
  if (isPage && (file.mimetype !== 'text/html' || bytes?.byteLength !== file.size))
    throw new FileError('Slack answered a page to the request for a file: the app may lack files:read');
  return bytes;
}

async function upTo(most: number, { body }: Response): Promise<Uint8Array | null> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of body ?? []) {
    size += chunk.byteLength;
    if (size > most) return null;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

/** The bytes as text, with plain line ends; `null` where they are none. */
function textIn(bytes: Uint8Array): string | null {
  if (bytes.includes(0)) return null;
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes).replace(/\r\n?/gu, '\n');
  } catch {
    return null;
  }
}
