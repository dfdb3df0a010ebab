import { readFile } from 'node:fs/promises';
import type { ServerResponse } from 'node:http';
import { extname, join, normalize, sep } from 'node:path';
import { answerJson, answerText } from '../http/answer.ts';
import type { Gallery } from '../workspace.ts';

const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.json': 'application/json; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.woff2': 'font/woff2',
  '.txt': 'text/plain; charset=utf-8',
};

/** The page has no inline script or style; images in messages may come from anywhere, as in Slack. */
const POLICY = [
  "default-src 'self'",
  "script-src 'self'",
  "style-src 'self'",
  "connect-src 'self'",
  "img-src 'self' data: https: http:",
  "object-src 'none'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

/** The file that an address names; the page itself for `/`, the gallery and permalinks. */
function fileFor(pathname: string): string | undefined {
  if (pathname === '/' || pathname === '/gallery' || pathname.startsWith('/archives/')) return 'index.html';
  if (!/^[\w./-]+$/.test(pathname)) return undefined;
  const path = normalize(pathname).slice(1);
  return path.split(sep).includes('..') ? undefined : path;
}

/** Serves one of the page's built files. Names under `assets/` carry a hash, so they may be kept. */
export async function serveFile(folder: string, pathname: string, response: ServerResponse): Promise<void> {
  const file = fileFor(pathname);
  const type = file && TYPES[extname(file)];
  const content = file && type ? await readFile(join(folder, file)).catch(() => undefined) : undefined;
  if (!file || !type || !content) {
    answerText(response, 404, 'Not found.');
    return;
  }
  response.writeHead(200, {
    'content-type': type,
    'cache-control': file.startsWith('assets/') ? 'public, max-age=31536000, immutable' : 'no-cache',
    'content-security-policy': POLICY,
  });
  response.end(content);
}

/** `GET /gallery`, and the pictures in it; whether the request was for one of them. */
export async function serveGallery(
  gallery: Gallery | undefined,
  path: string,
  response: ServerResponse,
): Promise<boolean> {
  if (path === 'gallery') {
    answerJson(response, 200, { entries: (await gallery?.entries()) ?? [] });
    return true;
  }
  if (!gallery || !path.startsWith('files/')) return false;
  const png = await gallery.picture(path.slice('files/'.length));
  if (png === null) return false;
  response.writeHead(200, { 'content-type': 'image/png', 'cache-control': 'no-store' }).end(png);
  return true;
}
