import { errorIn } from '../details.ts';
import { fromLabels, statedValue } from '../facts.ts';
import type { Format } from '../format.ts';
import { fingerprintOf } from '../identity.ts';
import { attachmentDetails, isSentBy, type MessageContent } from '../message.ts';
import {
  linksOf,
  plainText,
  quotableText,
  toDescription,
  toErrorMessage,
  toTitle,
  withoutUrls,
} from '../slack-text.ts';
import { severityOf, severityWord } from '../state.ts';
import { timestampIn } from '../timestamps.ts';
import { type Alert, type AlertKind, emptyAlert } from '../types.ts';

/** Rollbar's items in its one-line form, `[project] environment - trigger: title`, and its notices of deploys. */
export const rollbar: Format = {
  name: 'rollbar',
  tool: 'Rollbar',
  extract: (content) => extractDeploy(content) ?? extractItem(content),
};

const DEPLOY = /^\[[^\]\n]{1,120}\] .{1,120} deployed revision (\S{1,120}) to (\S{1,80})/u;

/** `[project] somebody deployed revision x to production <…/deploy/n/>`. */
function extractDeploy({ person, names, message, body }: MessageContent): Alert | null {
  const [, , environment] = DEPLOY.exec(plainText(message.text || body)) ?? [];
  const own =
    names.some((name) => /^rollbar\b/iu.test(name)) ||
    /<https:\/\/(?:app\.)?rollbar\.com\/deploy\//u.test(body);
  return person || environment === undefined || !own ? null : { ...emptyAlert('rollbar'), environment };
}

const PAGE =
  /^https:\/\/(?:app\.)?rollbar\.com\/(?:a\/)?[^/\s]{1,120}\/(?:fix\/item\/([^/\s]{1,120})\/(\d{1,12})|([^/\s]{1,120})\/items\/(\d{1,12}))/u;
/** `[project] environment - `; a message that an operator reworded may lack either. */
const HEAD = /^\[([^\]\n]{1,120})\]\s?(?:\[?([\w.-]{1,60})\]? (?:-|–|—) )?/u;
const LEVELS = '(?:Critical|Error|Warning|Info|Debug|Item|Message|Exception)';
/** What happened to the item, up to its title. */
const TRIGGER = new RegExp(
  '^(?:' +
    String.raw`(?<seen>New|First|\d[\d,]*(?:st|nd|rd|th)|10\^n?th|Reactivated|Regressed|Reopened|High(?: occurrence)? rate(?: of)?) ?(?<level>${LEVELS})?(?: occurrences?)?` +
    String.raw`|(?<rate>\d[\d,]*) occurrences? in .{1,30}?` +
    `|(?<done>Resolved|Muted|Snoozed|Unmuted|Assigned|Commented)(?: ${LEVELS})?` +
    String.raw`)(?: by [^:\n]{1,80})?(?: in (?<project>[\w.-]{1,80})(?: \((?<environment>[\w.-]{1,40})\))?)?(?::| -| –| (?=#\d)|$)\s*`,
  'iu',
);
const NUMBER = /^#(\d{1,12})\b:?\s*/u;
/** Every occurrence: the level stands behind the title. */
const LEVEL_BEHIND = / \((Critical|Error|Warning|Info|Debug)\)$/u;

/** An item: new, seen for the 10th time, reactivated, too frequent, resolved. */
function extractItem(content: MessageContent): Alert | null {
  if (content.person) return null;
  const own = isSentBy(content, /^rollbar\b/iu);
  const line = linesOf(content).find((one) => own || HEAD.test(quotableText(one)));
  const link = linksOf(content.body).find(({ url }) => PAGE.test(url)) ?? null;
  const words = quotableText(line ?? '');
  const [head = '', written, stage] = HEAD.exec(words) ?? [];
  const tail = words.slice(head.length);
  const trigger = TRIGGER.exec(tail);
  const behind = LEVEL_BEHIND.exec(tail)?.[1];
  const repeated = trigger === null && head !== '' && stage !== undefined && behind !== undefined;
  if ((!own && link === null) || (trigger === null && !repeated)) return null;

  const { seen, level = behind, done, project, environment } = trigger?.groups ?? {};
  const rest = tail.slice(trigger?.[0].length ?? 0).replace(LEVEL_BEHIND, '');
  const page = PAGE.exec(link?.url ?? '');
  const number = NUMBER.exec(rest)?.[1] ?? page?.[2] ?? page?.[4];
  const name = rest.replace(NUMBER, '') || (number === undefined ? (seen ?? '') : `#${number}`);
  const title = toTitle(name);
  const { fields } = fromLabels(content.facts);
  const service =
    fields.service ?? statedValue(content.facts, 'project') ?? written ?? project ?? page?.[1] ?? page?.[3];
  const env = fields.environment ?? stage ?? environment ?? null;
  const { errorType, errorMessage } = errorIn(name);
  return {
    ...emptyAlert('rollbar'),
    ...fields,
    kind: kindOf(done),
    title,
    description: toDescription(below(content), title),
    severity:
      fields.severity ?? severityWord(level ?? '') ?? severityOf(statedValue(content.facts, 'level') ?? ''),
    environment: env,
    service: service ?? null,
    triggeredAt: timestampIn(withoutUrls(content.body)),
    alertUrl: link?.url ?? null,
    errorType,
    errorMessage: toErrorMessage(errorMessage),
    fingerprint:
      number === undefined
        ? fingerprintOf('rollbar', 'title', (service ?? '').toLowerCase(), env ?? '', name)
        : fingerprintOf('rollbar', 'item', (service ?? '').toLowerCase(), number),
  };
}

/** Where an item's line may stand: the text, the blocks, an attachment's head. */
function linesOf({ message, attachments, body }: MessageContent): string[] {
  const heads = attachments.flatMap(({ pretext, title, fallback }) => [pretext, title, fallback]);
  return [...message.text.split('\n'), ...heads, ...body.split('\n', 40)].filter(
    (line) => quotableText(line) !== '',
  );
}

function kindOf(done: string | undefined): AlertKind {
  if (done === undefined) return 'firing';
  return done.toLowerCase() === 'resolved' ? 'resolved' : 'not_an_alert';
}

function below(content: MessageContent): string {
  return content.attachments.map(attachmentDetails).join('\n') || content.body;
}
