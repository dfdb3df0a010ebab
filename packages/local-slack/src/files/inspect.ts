import { isUtf8 } from 'node:buffer';
import { extname } from 'node:path';

/** What a file is, as Slack finds out by looking at its name and its bytes. */
interface FileKind {
  mimetype: string;
  /** Slack's short name: `png`, `json`, `markdown`, `text`. */
  filetype: string;
  /** For people: `PNG`, `JSON`, `Plain Text`. */
  pretty_type: string;
}

/** A file that the app has announced, sent or shared; its bytes are kept apart. */
export interface StoredFile {
  id: string;
  /** What the address to send the bytes to ends with. */
  ticket: string;
  name: string;
  title: string;
  /** What a picture shows, in words; empty if the app has said nothing. */
  alt: string;
  snippet_type: string;
  user: string;
  /** Seconds since the epoch. */
  created: number;
  /** Bytes, as announced. */
  size: number;
  /** Announced, bytes are there, taken into use, gone. */
  state: 'awaited' | 'uploaded' | 'complete' | 'deleted';
  /** When Slack knows the file's type, in milliseconds since the epoch; 0 before it is complete. */
  ready_at: number;
  kind: FileKind;
  /** Of a picture. */
  image: { width: number; height: number } | null;
  /** Of a text. */
  text: { preview: string; lines: number; lines_more: number } | null;
}

/** Whether Slack knows the file's type by now. */
export function isReady({ state, ready_at }: StoredFile, now: number): boolean {
  return state === 'complete' && now >= ready_at;
}

interface Size {
  width: number;
  height: number;
}

/** A picture of one of the three kinds that Slack shows in blocks. */
interface Picture extends Size {
  filetype: 'png' | 'gif' | 'jpg';
}

const PNG = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);

/** The segments of a JPEG that say its size: all "start of frame" markers. */
function isFrame(marker: number): boolean {
  return marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker);
}

function jpegSize(bytes: Buffer): Size | null {
  let at = 2;
  while (at + 9 <= bytes.length && bytes[at] === 0xff) {
    const marker = bytes.readUInt8(at + 1);
    if (isFrame(marker)) return { height: bytes.readUInt16BE(at + 5), width: bytes.readUInt16BE(at + 7) };
    at += 2 + bytes.readUInt16BE(at + 2);
  }
  return null;
}

/** What kind of picture the bytes are, and how large; `null` if they are none, whatever the file is called. */
function pictureIn(bytes: Buffer): Picture | null {
  if (bytes.length >= 24 && bytes.subarray(0, 8).equals(PNG)) {
    return { filetype: 'png', width: bytes.readUInt32BE(16), height: bytes.readUInt32BE(20) };
  }
  if (bytes.length >= 10 && /^GIF8[79]a$/.test(bytes.toString('latin1', 0, 6))) {
    return { filetype: 'gif', width: bytes.readUInt16LE(6), height: bytes.readUInt16LE(8) };
  }
  const jpeg = bytes.length > 4 && bytes[0] === 0xff && bytes[1] === 0xd8 ? jpegSize(bytes) : null;
  return jpeg && { filetype: 'jpg', ...jpeg };
}

const kind = (mimetype: string, filetype: string, pretty_type: string): FileKind => ({
  mimetype,
  filetype,
  pretty_type,
});

const PICTURES = {
  png: kind('image/png', 'png', 'PNG'),
  gif: kind('image/gif', 'gif', 'GIF'),
  jpg: kind('image/jpeg', 'jpg', 'JPEG'),
} as const;

const PLAIN = kind('text/plain', 'text', 'Plain Text');
const BINARY = kind('application/octet-stream', 'binary', 'Binary');

/** The type of a text by its name's extension. Only valid text is given one. */
const TEXTS: Readonly<Record<string, FileKind>> = {
  '.json': kind('application/json', 'json', 'JSON'),
  '.md': kind('text/markdown', 'markdown', 'Markdown (raw)'),
  '.markdown': kind('text/markdown', 'markdown', 'Markdown (raw)'),
  '.csv': kind('text/csv', 'csv', 'CSV'),
  '.html': kind('text/html', 'html', 'HTML'),
  '.xml': kind('application/xml', 'xml', 'XML'),
  '.svg': kind('image/svg+xml', 'svg', 'SVG'),
  '.yaml': kind('text/plain', 'yaml', 'YAML'),
  '.yml': kind('text/plain', 'yaml', 'YAML'),
};

const OTHERS: Readonly<Record<string, FileKind>> = {
  '.pdf': kind('application/pdf', 'pdf', 'PDF'),
  '.zip': kind('application/zip', 'zip', 'Zip'),
  '.gz': kind('application/gzip', 'gzip', 'Gzip'),
};

const PREVIEW_LINES = 6;
const PREVIEW_LENGTH = 600;

function textIn(bytes: Buffer): StoredFile['text'] {
  const lines = bytes.toString('utf8').split('\n');
  if (lines.at(-1) === '') lines.pop();
  const shown = lines.slice(0, PREVIEW_LINES);
  const preview = shown.join('\n').slice(0, PREVIEW_LENGTH);
  return { preview, lines: lines.length, lines_more: lines.length - shown.length };
}

/** What Slack finds out about a file: its kind by bytes and name, a picture's size, a text's first lines. */
export function inspect(name: string, bytes: Buffer): Pick<StoredFile, 'kind' | 'image' | 'text'> {
  const picture = pictureIn(bytes);
  if (picture) {
    const { filetype, width, height } = picture;
    return { kind: PICTURES[filetype], image: { width, height }, text: null };
  }
  const extension = extname(name).toLowerCase();
  if (isUtf8(bytes) && !bytes.includes(0)) {
    return { kind: TEXTS[extension] ?? PLAIN, image: null, text: textIn(bytes) };
  }
  return { kind: OTHERS[extension] ?? BINARY, image: null, text: null };
}
