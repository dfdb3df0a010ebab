import { blank } from './blank.ts';
import { fromCheck } from './checks.ts';
import { factsOf } from './facts.ts';
import { factNamed, statedValue } from './labels.ts';
import { attachmentText, type Reading } from './reading.ts';
import type { Attachment } from './schema.ts';
import { plain } from './slack-text.ts';
import { timeIn } from './times.ts';
import type { Alert } from './types.ts';
import { descriptionOf, messageOf } from './words.ts';

const TITLE = /^\s*(?:Host|Service) ([A-Z]{2,30})(?: \([^)\n]{1,40}\))? notification\b/iu;
const FOOTER = /^\s*(\w{2,20}) notification: (.*)$/su;
/** Lines of the second attachment that are not the plugin's. */
const FURNITURE = /^(?:Url:|Please take a look:)/iu;

/**
 * The two attachments that Nagios' and Checkmk's scripts send: what is wrong, and `Additional Info`. Each tool signs
 * the footer; without one, the sender tells whose it is.
 */
export function extractNotification(
  { attachments, names }: Reading,
  format: string,
  tool: RegExp,
): Alert | null {
  const main = attachments.find(({ title }) => TITLE.test(plain(title)));
  const sent = TITLE.exec(plain(main?.title ?? ''))?.[1];
  if (main === undefined || sent === undefined) return null;
  const [signed, stamp] = signature(attachments);
  if (!(signed === null ? names : [signed]).some((name) => tool.test(name))) return null;

  const facts = factsOf(main.text);
  const host = factNamed(facts, 'host');
  const service = factNamed(facts, 'service');
  if (host === null) return null;
  const more = attachments.filter((part) => part !== main).map(({ text }) => text);
  const check = fromCheck(format, {
    host: host.value.replace(/ \(IP: [^)\n]{0,300}\)$/u, ''),
    service: service?.value ?? null,
    state: statedValue(facts, 'state') ?? '',
    notification: sent,
    output: messageOf(outputOf(more.join('\n'))),
  });
  const text = attachments.map((part) => attachmentText({ ...part, footer: '' })).join('\n');
  return {
    ...blank(format),
    ...check,
    description: descriptionOf(text, check.title),
    triggeredAt: stamp === null ? null : timeIn(stamp),
    alertUrl: service?.url ?? factNamed(factsOf(more.join('\n')), 'url')?.url ?? host.url,
  };
}

/** Who signed a footer, and when. */
function signature(attachments: readonly Attachment[]): [string, string] | [null, null] {
  for (const { footer } of attachments) {
    const [, name, stamp] = FOOTER.exec(footer) ?? [];
    if (name !== undefined && stamp !== undefined) return [name, stamp];
  }
  return [null, null];
}

function outputOf(mrkdwn: string): string {
  return plain(mrkdwn)
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '' && !FURNITURE.test(line))
    .join('\n');
}
