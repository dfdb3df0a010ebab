import type { ServerResponse } from 'node:http';
import { answerJson } from '../http/answer.ts';
import type { Gallery } from '../workspace.ts';

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
