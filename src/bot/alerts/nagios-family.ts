import { emptyAlert } from './empty-alert.ts';
import { factsOf } from './facts.ts';
import { fingerprintOf } from './fingerprint.ts';
import { factNamed, statedValue } from './labels.ts';
import { attachmentText, type MessageContent } from './message-content.ts';
import type { Attachment } from './schema.ts';
import { severityOf } from './severity.ts';
import { plainText } from './slack-text.ts';
import { toDescription, toErrorMessage, toTitle } from './text-fields.ts';
import { timestampIn } from './timestamps.ts';
import type { Alert, AlertKind } from './types.ts';

/** The result of a check by Nagios or a relative (Checkmk, Icinga), of a host or of a service on it. */
export interface Check {
  host: string;
  /** The check's own name (`disk /var`); `null` if the host itself is checked. */
  service: string | null;
  /** `OK`, `CRITICAL`, `DOWN`, …, as written. */
  state: string;
  /** Why it was sent (`PROBLEM`, `RECOVERY`, `ACKNOWLEDGEMENT`, …); `null` if only the state tells. */
  notification: string | null;
  /** The plugin's output. */
  output: string | null;
}

const OVER = /^(?:OK|UP)\b/iu;
const ON = /^(?:CRITICAL|WARNING|UNKNOWN|DOWN|UNREACHABLE)\b/iu;
const NOTED = /ACKNOWLEDGE|DOWNTIME|FLAPPING|CUSTOM/iu;

/** The alert for a check. Acknowledgements and downtimes repeat the bad state, and are not alerts. */
export function alertFromCheck(
  format: string,
  check: Check,
): Pick<Alert, 'kind' | 'title' | 'severity' | 'service' | 'host' | 'errorMessage' | 'fingerprint'> {
  const { host, service, state, output } = check;
  const kind = kindOf(check);
  return {
    kind,
    title: toTitle(service === null ? `${host} ${state}` : `${service} on ${host}`),
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

/** Plugin output begins with the state: `CRITICAL - Host Unreachable`, `DISK WARNING: 9% left`. */
function leadOf(output: string): string {
  return /^(?:\w+ )?(CRITICAL|WARNING)\b/u.exec(output)?.[1] ?? '';
}

const TITLE = /^\s*(?:Host|Service) ([A-Z]{2,30})(?: \([^)\n]{1,40}\))? notification\b/iu;
const FOOTER = /^\s*(\w{2,20}) notification: (.*)$/su;
/** Lines of the second attachment that are not plugin output. */
const FURNITURE = /^(?:Url:|Please take a look:)/iu;

/**
 * The two attachments that the scripts of Nagios and Checkmk send: the problem, and `Additional Info`. The footer names
 * the tool; without a footer, the sender's name does.
 */
export function extractCheckNotification(
  { attachments, names }: MessageContent,
  format: string,
  tool: RegExp,
): Alert | null {
  const main = attachments.find(({ title }) => TITLE.test(plainText(title)));
  const sent = TITLE.exec(plainText(main?.title ?? ''))?.[1];
  if (main === undefined || sent === undefined) return null;
  const [signed, stamp] = signature(attachments);
  if (!(signed === null ? names : [signed]).some((name) => tool.test(name))) return null;

  const facts = factsOf(main.text);
  const host = factNamed(facts, 'host');
  const service = factNamed(facts, 'service');
  if (host === null) return null;
  const more = attachments.filter((part) => part !== main).map(({ text }) => text);
  const check = alertFromCheck(format, {
    host: host.value.replace(/ \(IP: [^)\n]{0,300}\)$/u, ''),
    service: service?.value ?? null,
    state: statedValue(facts, 'state') ?? '',
    notification: sent,
    output: toErrorMessage(outputOf(more.join('\n'))),
  });
  const text = attachments.map((part) => attachmentText({ ...part, footer: '' })).join('\n');
  return {
    ...emptyAlert(format),
    ...check,
    description: toDescription(text, check.title),
    triggeredAt: stamp === null ? null : timestampIn(stamp),
    alertUrl: service?.url ?? factNamed(factsOf(more.join('\n')), 'url')?.url ?? host.url,
  };
}

/** The tool and the time in a footer. */
function signature(attachments: readonly Attachment[]): [string, string] | [null, null] {
  for (const { footer } of attachments) {
    const [, name, stamp] = FOOTER.exec(footer) ?? [];
    if (name !== undefined && stamp !== undefined) return [name, stamp];
  }
  return [null, null];
}

function outputOf(mrkdwn: string): string {
  return plainText(mrkdwn)
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '' && !FURNITURE.test(line))
    .join('\n');
}
