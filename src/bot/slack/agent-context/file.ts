import type { AskedFile } from '../../asking/question.ts';
import type { ReadFile } from '../../asking/request.ts';
import { fileAddress } from '../addresses.ts';
import { call, type Slack } from '../delivery/calls.ts';
import { askedFileOf } from './slack-file.ts';
import { isTextKind } from './text-kinds.ts';

const MAX_BYTES = 50_000;
const DOWNLOAD_TIMEOUT_MS = 10_000;
const NO_TEXT = 'not a text file';
const TOO_LARGE = 'larger than 50 kB';
const UNREAD = 'could not be read from Slack';

/** Slack did not give the file. The message bears neither its address nor the token. */
class FileError extends Error {
  override name = 'FileError';
}

interface Reader {
  slack: Slack;
  botToken: string;
  apiUrl: string;
}

/** Reads a file that somebody attached, where it is a text of up to 50 kB. Never rejects. */
export async function readFile(asked: AskedFile, reader: Reader): Promise<ReadFile> {
  const { slack } = reader;
  const count = (outcome: string) =>
    slack.metrics.count('gumshoe_materials_total', { kind: 'file', outcome });
  const notRead = (reason: string, outcome: string): ReadFile => {
    count(outcome);
    return { name: asked.name, notRead: reason };
  };
  const ended = new AbortController();
  const late = slack.clock.sleep(DOWNLOAD_TIMEOUT_MS, ended.signal).then(
    () => ended.abort(),
    () => undefined,
  );
  try {
    // Of a file of another organisation an event may tell nothing but its id.
    const file = asked.url === null ? await described(asked, slack) : asked;
    if (!isTextKind(file)) return notRead(NO_TEXT, 'no_text');
    if (file.size > MAX_BYTES) return notRead(TOO_LARGE, 'too_large');
    const bytes = await download(file, reader, ended.signal);
    if (bytes === 'too large') return notRead(TOO_LARGE, 'too_large');
    const text = bytes === 'no text' ? null : textIn(bytes);
    if (text === null) return notRead(NO_TEXT, 'no_text');
    count('read');
    return { name: file.name, text };
  } catch (error) {
    slack.log.warn({ err: error, file: asked.id }, 'could not read an attached file');
    return notRead(UNREAD, 'failed');
  } finally {
    ended.abort();
    await late;
  }
}

async function described({ id }: AskedFile, slack: Slack): Promise<AskedFile> {
  const answer = await call(slack, { method: 'files.info', channel: '' }, (client) =>
    client.files.info({ file: id }),
  );
  const file = askedFileOf(answer.file);
  if (file === null || file.id !== id) throw new FileError('Slack returned no details of the file');
  return file;
}

/** @returns at once where it is no text, or has more bytes than may be read, whatever Slack said of it before. */
async function download(
  file: AskedFile,
  { slack, botToken, apiUrl }: Reader,
  signal: AbortSignal,
): Promise<Uint8Array | 'no text' | 'too large'> {
  const address = file.url === null ? null : fileAddress(file.url, apiUrl);
  if (address === null) throw new FileError('the file is not hosted by Slack; not fetching it');
  const { fetch = globalThis.fetch } = slack;
  const response = await fetch(address, {
    headers: { authorization: `Bearer ${botToken}` },
    redirect: 'error',
    signal,
  });
  if (!response.ok) throw new FileError(`Slack answered HTTP ${response.status} to the request for a file`);
  const type = response.headers.get('content-type') ?? '';
  const isSaid = type !== '' && !/^(?:application|binary)\/octet-stream\b/iu.test(type);
  if (isSaid && !isTextKind({ ...file, mimetype: type })) return 'no text';
  const bytes = await upTo(MAX_BYTES, response);
  // Whom Slack does not let in it shows its page for signing in, as a success.
  const isPage = /^text\/html\b/iu.test(type);
  if (isPage && (file.mimetype !== 'text/html' || bytes?.byteLength !== file.size))
    throw new FileError('Slack answered a file request with a web page: the app may lack files:read');
  return bytes ?? 'too large';
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

/** How documents, pictures and programs begin that hold nothing but letters for a while. */
const MAGIC = ['%PDF-', '{\\rtf', 'GIF87a', 'GIF89a', 'PK\x03\x04', '\x7fELF', '%!PS'];

/** The bytes as text, with plain line ends; `null` if they are none. */
function textIn(bytes: Uint8Array): string | null {
  const start = Buffer.from(bytes.subarray(0, 8)).toString('latin1');
  if (bytes.includes(0) || MAGIC.some((magic) => start.startsWith(magic))) return null;
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes).replace(/\r\n?/gu, '\n');
  } catch {
    return null;
  }
}
