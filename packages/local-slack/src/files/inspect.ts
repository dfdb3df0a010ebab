import { isUtf8 } from 'node:buffer';
import { extname } from 'node:path';
import type { FileKind, StoredFile } from './file.ts';
import { pictureIn } from './image-size.ts';

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
