import type { IncomingMessage, ServerResponse } from 'node:http';
import { answerText } from '../http/body.ts';
import type { WorkspaceContext } from '../workspace-context.ts';
import { isReady, type StoredFile } from './inspect.ts';
import { mayAppSee } from './present.ts';

/** What no file may do, whatever it holds: be taken for something else, load, run. */
const SAFE = {
  'x-content-type-options': 'nosniff',
  'content-security-policy': "default-src 'none'; style-src 'unsafe-inline'; sandbox",
  'cross-origin-resource-policy': 'same-origin',
  'referrer-policy': 'no-referrer',
} as const;

/** How a browser should take it: only pictures that cannot run anything are shown, all else is saved. */
function headersOf({ name, kind, image }: StoredFile): Record<string, string> {
  const disposition = image ? 'inline' : 'attachment';
  const encoded = encodeURIComponent(name).replaceAll(
    /['()*]/g,
    (sign) => `%${sign.charCodeAt(0).toString(16)}`,
  );
  return {
    ...SAFE,
    'content-type': image ? kind.mimetype : 'application/octet-stream',
    'content-disposition': `${disposition}; filename*=UTF-8''${encoded}`,
  };
}

/** `GET /page-api/files/<id>`: a file that people can see. */
export function serveToPage(context: WorkspaceContext, id: string, response: ServerResponse): void {
  const { files } = context.store;
  const file = files.get(id);
  const bytes = file && isReady(file, context.clock.now()) && files.isUsed(id) ? files.bytes(id) : undefined;
  if (!file || !bytes) {
    answerText(response, 404, 'There is no such file.');
    return;
  }
  response.writeHead(200, { ...headersOf(file), 'cache-control': 'private, max-age=3600' });
  response.end(bytes);
}

/** As in Slack, a request without access to a file is redirected to the sign-in page: HTML, and status 200. */
function toSignIn(context: WorkspaceContext, pathname: string, response: ServerResponse): void {
  const address = `${context.origin()}/signin?redir=${encodeURIComponent(pathname)}`;
  response.writeHead(302, { location: address }).end();
}

/** The sign-in page. */
export function serveSignIn(response: ServerResponse): void {
  response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' });
  response.end(
    '<!doctype html><title>Sign in</title><p>Files open with the token of the app, and files:read.</p>',
  );
}

/** A file's `url_private`: for the app's token alone. */
export function servePrivate(
  context: WorkspaceContext,
  pathname: string,
  request: IncomingMessage,
  response: ServerResponse,
): void {
  const { credentials, manifest, store, team } = context;
  const isApp = request.headers.authorization === `Bearer ${credentials.botToken}`;
  if (!isApp || !manifest.scopes.includes('files:read')) {
    toSignIn(context, pathname, response);
    return;
  }
  const [, place = ''] = /^\/files-pri\/([^/]+)\//.exec(pathname) ?? [];
  const id = place.startsWith(`${team.id}-`) ? place.slice(team.id.length + 1) : '';
  const file = store.files.get(id);
  const bytes = file?.state === 'complete' && mayAppSee(context, file) ? store.files.bytes(id) : undefined;
  if (!file || !bytes) {
    answerText(response, 404, 'There is no such file.');
    return;
  }
  response.writeHead(200, { 'content-type': file.kind.mimetype, 'x-content-type-options': 'nosniff' });
  response.end(bytes);
}
