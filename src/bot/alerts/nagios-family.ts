import { blank } from './empty-alert.ts';
import { factsOf } from './facts.ts';
import { fingerprintOf } from './fingerprint.ts';
import { factNamed, statedValue } from './labels.ts';
import { attachmentText, type Reading } from './message-content.ts';
import type { Attachment } from './schema.ts';
import { severityOf } from './severity.ts';
import { plain } from './slack-text.ts';
import { timeIn } from './timestamps.ts';
import type { Alert, AlertKind } from './types.ts';
import { descriptionOf, messageOf, titleOf } from './text-fields.ts';

/** What Nagios and its relatives (Checkmk, Icinga) say of a host, or of a service on it. */
export interface Check {
  host: string;
  /** The check's own name (`disk /var`); `null` where the host itself is checked. */
  service: string | null;
  /** `OK`, `CRITICAL`, `DOWN`, …, as written. */
  state: string;
  /** Why it was sent (`PROBLEM`, `RECOVERY`, `ACKNOWLEDGEMENT`, …); `null` where only the state tells. */
  notification: string | null;
  /** The plugin's own words. */
  output: string | null;
}

const OVER = /^(?:OK|UP)\b/iu;
const ON = /^(?:CRITICAL|WARNING|UNKNOWN|DOWN|UNREACHABLE)\b/iu;
const NOTED = /ACKNOWLEDGE|DOWNTIME|FLAPPING|CUSTOM/iu;

/** What a check makes of an alert: an acknowledgement or a downtime keeps the bad state, and is no alert. */
export function fromCheck(
  format: string,
  check: Check,
): Pick<Alert, 'kind' | 'title' | 'severity' | 'service' | 'host' | 'errorMessage' | 'fingerprint'> {
  const { host, service, state, output } = check;
  const kind = kindOf(check);
  return {
    kind,
    title: titleOf(service === null ? `${host} ${state}` : `${service} on ${host}`),
    severity: kind === 'resolved' ? null : (severityOf(state) ?? severityOf(leadOf(output ?? ''))),
    service,
    host,
    errorMessage: output,
    fingerprint: fingerprintOf(format, host, service ?? ''),
  };
}

function kindOf({ state, notification }: Check): AlertKind {
  const sent = notification?.toUpperCase();
  if (NOTED.test(`${notification ?? ''} ${state}`)) return 'not_an_alert';
  if (sent === 'RECOVERY' || (sent === undefined && OVER.test(state))) return 'resolved';
  return sent === 'PROBLEM' || (sent === undefined && ON.test(state)) ? 'firing' : 'not_an_alert';
}

/** Plugins begin with their verdict: `CRITICAL - Host Unreachable`, `DISK WARNING: 9% left`. */
function leadOf(output: string): string {
  return /^(?:\w+ )?(CRITICAL|WARNING)\b/u.exec(output)?.[1] ?? '';
}

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
