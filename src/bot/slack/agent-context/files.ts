import { extname } from 'node:path';
import { z } from 'zod';
import type { ReadFile } from '../../asking/agent-context.ts';
import type { AskedFile } from '../../asking/question.ts';
import { fileAddress } from '../addresses.ts';
import { call, type Slack } from '../delivery/calls.ts';

/** Types of text that do not say so: data and code. */
const APPLICATION =
  /^application\/(?:(?:[\w.-]+\+)?(?:json|xml|yaml)|x-(?:yaml|sh|shellscript|httpd-php|ndjson|sql|toml|perl|ruby|python)|(?:java|type|ecma)script|x-javascript|ndjson|jsonl|json-seq|sql|toml|graphql|x-log)$/u;

/** What Slack calls kinds of text, and how the names of such files end. */
const KINDS: ReadonlySet<string> = new Set(
  [
    'text txt log out err trace stacktrace markdown md rst adoc',
    'csv tsv json jsonl ndjson json5 yaml yml xml toml ini cfg conf config properties env hcl tf tfvars',
    'diff patch sql graphql proto html css sass scss less',
    'applescript c cpp csharp cs h hpp clojure coffeescript crystal cypher d dart dockerfile elixir elm erlang',
    'fsharp fortran go gradle groovy handlebars haskell haxe java javascript js jsx julia kotlin kt latex lisp lua',
    'makefile matlab mumps nginx objc ocaml pascal perl php pig powershell ps1 puppet python py r ruby rb rust rs',
    'sas scala scheme shell sh bash zsh smalltalk stylus swift typescript ts tsx vb vbscript velocity verilog vue',
  ].flatMap((line) => line.split(' ')),
);

/** Types that say nothing: then the name of the file does. */
const UNSPECIFIC = new Set(['', 'application/octet-stream', 'binary/octet-stream']);

/** Whether Slack holds a file for text, by its type or kind; its bytes may still say otherwise. */
function isTextKind({
  name,
  mimetype,
  filetype,
}: Pick<AskedFile, 'name' | 'mimetype' | 'filetype'>): boolean {
  const type = mimetype.toLowerCase().split(';')[0]?.trim() ?? '';
  // Rich text is text only to machines.
  if (type.startsWith('text/')) return type !== 'text/rtf';
  if (APPLICATION.test(type)) return true;
  if (!UNSPECIFIC.has(type)) return false;
  return KINDS.has(filetype.toLowerCase()) || KINDS.has(extname(name).slice(1).toLowerCase());
}

const text = z.string().nullish().catch(null);

/** A file as Slack describes it; of one from another organization an event may hold the id alone. */
const SlackFile = z.looseObject({
  id: z.string(),
  mode: text,
  name: text,
  title: text,
  mimetype: text,
  filetype: text,
  size: z.number().catch(0),
  url_private: text,
  is_external: z.boolean().nullish().catch(null),
});

/** @returns `null` for what is no file, or is one that its author has taken away again. */
export function askedFileOf(raw: unknown): AskedFile | null {
  const { success, data } = SlackFile.safeParse(raw);
  if (!success || data.mode === 'tombstone') return null;
  // The address of an external file is one of another company's.
  const isExternal = data.mode === 'external' || data.is_external === true;
  return {
    id: data.id,
    name: data.name || data.title || data.id,
    mimetype: data.mimetype ?? '',
    filetype: data.filetype ?? '',
    size: data.size,
    url: isExternal ? null : (data.url_private ?? null),
  };
}

const MAX_BYTES = 50_000;
const DOWNLOAD_TIMEOUT_MS = 10_000;
const NO_TEXT = 'not a text file';
const TOO_LARGE = 'larger than 50 kB';
const UNREAD = 'could not be read from Slack';

/** Slack did not give the file. The message contains neither its address nor the token. */
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
    slack.metrics.count('gumshoe_agent_context_reads_total', { kind: 'file', outcome });
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
    // Of a file of another organization an event may hold nothing but its id.
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

/** @returns at once where it is no text, or has more bytes than may be read, whatever size Slack reported before. */
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
  const isStated = type !== '' && !/^(?:application|binary)\/octet-stream\b/iu.test(type);
  if (isStated && !isTextKind({ ...file, mimetype: type })) return 'no text';
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

/** The bytes as text, with plain line ends; `null` if they are not text. */
function textIn(bytes: Uint8Array): string | null {
  const start = Buffer.from(bytes.subarray(0, 8)).toString('latin1');
  if (bytes.includes(0) || MAGIC.some((magic) => start.startsWith(magic))) return null;
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes).replace(/\r\n?/gu, '\n');
  } catch {
    return null;
  }
}
