import { blank } from '../../blank.ts';
import type { Reading } from '../../reading.ts';
import { plain } from '../../slack-text.ts';
import type { Alert } from '../../types.ts';

const DEPLOY = /^\[[^\]\n]{1,120}\] .{1,120} deployed revision (\S{1,120}) to (\S{1,80})/u;

/** `[project] somebody deployed revision x to production <…/deploy/n/>`. */
export function extractDeploy({ person, names, message, body }: Reading): Alert | null {
  const [, , environment] = DEPLOY.exec(plain(message.text || body)) ?? [];
  const own =
    names.some((name) => /^rollbar\b/iu.test(name)) ||
    /<https:\/\/(?:app\.)?rollbar\.com\/deploy\//u.test(body);
  return person || environment === undefined || !own ? null : { ...blank('rollbar'), environment };
}
