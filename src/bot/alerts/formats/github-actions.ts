import type { Format } from '../format.ts';
import { fingerprintOf } from '../identity.ts';
import { type Attachment, attachmentText, type MessageContent } from '../message.ts';
import { linksOf, plainText, toDescription, toTitle, withoutMarkup } from '../slack-text.ts';
import { type Alert, emptyAlert } from '../types.ts';

const LINE =
  /^(.{1,300}?) (failed|passed with warnings|passed|(?:was )?cancell?ed|skipped) in ([\w.-]+\/[\w.-]+)(?:@(\S{1,250}))?(?: on ([\da-f]{7,40}))?/u;
const RUN = /\/actions\/runs\/\d+/u;

/** A run of GitHub Actions, as the action of RavSam's tells it. */
export const githubActions: Format = { name: 'github-actions', tool: 'GitHub Actions', extract };

/** `*workflow* failed in repository@branch on commit`. A run that passed closes nothing (guide, section 5). */
function extract({ person, attachments }: MessageContent): Alert | null {
  if (person) return null;
  const part = attachments.find((one) => isRun(one) && LINE.test(lineOf(one)));
  const [, workflow, status, repository, branch = '', commit] = LINE.exec(lineOf(part)) ?? [];
  if (part === undefined || workflow === undefined || repository === undefined) return null;

  const title = toTitle(`${workflow} ${status}`);
  const failed = status === 'failed';
  return {
    ...emptyAlert('github-actions'),
    kind: failed ? 'firing' : 'not_an_alert',
    title,
    description: failed ? toDescription(attachmentText({ ...part, pretext: '', footer: '' }), title) : null,
    service: repository,
    alertUrl: linksIn(part).find((url) => RUN.test(url)) ?? null,
    version: commit ?? null,
    fingerprint: failed ? fingerprintOf('github-actions', repository, workflow, branch) : null,
  };
}

function isRun(part: Attachment): boolean {
  return (
    /^New Git[Hh]ub Action Run$/u.test(part.fallback) ||
    /^New Git[Hh]ub Action Run$/u.test(part.pretext) ||
    linksIn(part).some((url) => RUN.test(url))
  );
}

function linksIn({ footer, text, title_link }: Attachment): string[] {
  return [...linksOf(footer), ...linksOf(text.slice(0, 4_000))].map(({ url }) => url).concat(title_link);
}

function lineOf(part: Attachment | undefined): string {
  return withoutMarkup(plainText(part?.text.split('\n', 1)[0] ?? '')).slice(0, 1_500);
}
