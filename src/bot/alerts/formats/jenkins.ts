import type { Format } from '../format.ts';
import { fingerprintOf } from '../identity.ts';
import type { Attachment, MessageContent } from '../message.ts';
import { linksOf, plainText, toDescription, toErrorMessage, toTitle } from '../slack-text.ts';
import { type Alert, type AlertKind, emptyAlert } from '../types.ts';

const LINE =
  /^(.{1,1000}) - (\S.{0,200}?) (Back to normal|Still Failing|Still Unstable|Failure|Regression|Unstable|Success|Aborted|Not built|Unknown|Start(?:ed|ing)\b.*?)(?: after [^()<]{1,80})?(?: \(|$)/iu;
const KINDS: Readonly<Record<string, AlertKind>> = {
  failure: 'firing',
  'still failing': 'firing',
  regression: 'firing',
  unstable: 'firing',
  'still unstable': 'firing',
  'back to normal': 'resolved',
};

/** Jenkins, by its Slack plugin. */
export const jenkins: Format = { name: 'jenkins', tool: 'Jenkins', extract };

/** `job - #n Status after … (Open)`. The job is the problem, whatever the build's number. */
function extract({ person, names, attachments, message }: MessageContent): Alert | null {
  if (person) return null;
  const own = names.some((name) => /^jenkins\b/iu.test(name));
  const texts = [...attachments.flatMap(untitled), message.text];
  const text = texts.find((one) => (own || hasBuild(one)) && LINE.test(headOf(one)));
  const [, job, build, status] = LINE.exec(headOf(text ?? '')) ?? [];
  if (text === undefined || job === undefined || status === undefined) return null;

  const title = toTitle(`${job} - ${build} ${status}`);
  const kind = KINDS[status.toLowerCase()];
  const page = linksOf(text).find(({ label }) => label === 'Open') ?? linksOf(text)[0];
  const base = { ...emptyAlert('jenkins'), title, service: job, alertUrl: page?.url ?? null };
  if (kind === undefined) return base;
  const below = plainText(text).split('\n').slice(1).join('\n');
  return {
    ...base,
    kind,
    description: toDescription(text, title),
    errorMessage: toErrorMessage(below),
    fingerprint: fingerprintOf('jenkins', job),
  };
}

/** The plugin puts its line into a field without a title. */
function untitled({ fields, text, fallback }: Attachment): string[] {
  return [...fields.filter(({ title }) => title === '').map(({ value }) => value), text, fallback];
}

function hasBuild(text: string): boolean {
  return linksOf(text.slice(0, 4_000)).some(({ url, label }) => label === 'Open' && /\/job\//u.test(url));
}

function headOf(text: string): string {
  return plainText(text.split('\n', 1)[0] ?? '').slice(0, 1_500);
}
