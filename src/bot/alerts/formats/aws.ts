import { z } from 'zod';
import { regionIn } from '../details.ts';
import { factNamed, factsOf, fromLabels, normalizedName, statedValue } from '../facts.ts';
import { alertFromAlarm, type CloudWatchAlarm } from '../families.ts';
import type { AlertAlias, Format, ReceivedAlert, WebhookReading } from '../format.ts';
import { fingerprintOf } from '../identity.ts';
import {
  type Attachment,
  attachmentText,
  fieldFacts,
  type MessageContent,
  queryParameter,
  urlsOf,
} from '../message.ts';
import { alertOfParts, NO_VOCABULARY, usualParts } from '../parts.ts';
import {
  cleanText,
  hasTooManyValues,
  isRecord,
  labelList,
  labelMap,
  moment,
  notAnObject,
  receivedAlert,
  scalarText,
  TOO_MANY_VALUES,
  webUrl,
} from '../payload.ts';
import {
  plainText,
  toDescription,
  toErrorMessage,
  toTitle,
  withoutMarkup,
  withoutUrls,
} from '../slack-text.ts';
import { timestampIn } from '../timestamps.ts';
import { type Alert, emptyAlert } from '../types.ts';

/** What terraform-aws-notify-slack, aws-to-slack and the like make of CloudWatch's and AWS's other notifications. */
export const aws: Format = {
  name: 'aws',
  tool: 'AWS',
  webhook: { name: 'cloudwatch', tool: 'CloudWatch', read: readWebhook },
  extract: (content) =>
    content.person
      ? null
      : (extractAlarm(content) ??
        extractHealth(content) ??
        extractFinding(content) ??
        extractBackup(content) ??
        extractSubject(content) ??
        extractText(content)),
};

const STATE = /^(?:ALARM|OK|INSUFFICIENT[_ ]DATA)$/iu;
const ALARM_HEADING = /^AWS CloudWatch (?:notification|Alarm)\b/iu;

/** A card about an alarm: `Current State` of terraform-aws-notify-slack, `State Change` of aws-to-slack. */
function extractAlarm(content: MessageContent): Alert | null {
  for (const part of content.attachments) {
    const facts = fieldFacts(part);
    const change = statedValue(facts, 'state change');
    const state =
      statedValue(facts, 'current state', 'new state') ??
      change
        ?.split(/→|->|=>/u)
        .at(-1)
        ?.trim();
    const heading = plainText(part.text).split('\n', 1)[0] ?? '';
    const announced = [heading, part.author_name, plainText(part.title)].some((words) =>
      ALARM_HEADING.test(words),
    );
    const named = statedValue(facts, 'alarm name') ?? / notification - (.{1,255})$/u.exec(heading)?.[1];
    const name = named ?? (change === undefined ? '' : plainText(part.title).trim());
    if (!state || !STATE.test(state) || !name || !(announced || named || isAlarms(part.title_link))) continue;

    const link = factNamed(facts, 'link to alarm')?.url ?? urlsOf(content).find(isAlarms) ?? null;
    const reason =
      statedValue(facts, 'alarm reason', 'reason') ??
      (ALARM_HEADING.test(heading) ? null : plainText(part.text));
    const alert = alertFromAlarm('aws', {
      name,
      state: state.replace(' ', '_'),
      account:
        statedValue(facts, 'account', 'account id') ?? /\((\d{12})\)/u.exec(part.author_name)?.[1] ?? null,
      region: statedValue(facts, 'region') ?? regionIn(link ?? ''),
      reason: toErrorMessage(reason),
      alertUrl: link,
    });
    const own = attachmentText({
      ...part,
      title: '',
      text: ALARM_HEADING.test(heading) ? '' : part.text,
      footer: '',
    });
    return { ...alert, description: toDescription(own, toTitle(name)) };
  }
  return null;
}

function isAlarms(url: string): boolean {
  return /\/cloudwatch\/.*[#:]alarm/u.test(url);
}

const SUBJECT = /^\s*(ALARM|OK|INSUFFICIENT_DATA): "([^"\n]{1,255})" in ([^\n]{2,60})$/u;

/** CloudWatch's mail, forwarded as it is: the subject is `ALARM: "name" in EU (Ireland)`. */
function extractSubject({ attachments, message }: MessageContent): Alert | null {
  for (const part of [...attachments, { title: message.text, text: '', fields: [] }]) {
    const [, state, name, region] = SUBJECT.exec(plainText(part.title)) ?? [];
    if (state === undefined || name === undefined || region === undefined) continue;
    const words = part.fields.map(({ value }) => value).find((value) => value !== '') ?? '';
    const reason = plainText(words).trim() || null;
    const alert = alertFromAlarm('aws', {
      name,
      state,
      account: null,
      region: region.trim(),
      reason,
      alertUrl: null,
    });
    return { ...alert, description: toDescription(words, toTitle(name)) };
  }
  return null;
}

const ALARM_SENTENCE =
  /^\W{0,4}The alarm (\S{1,255}|"[^"\n]{1,255}") changed state to (ALARM|OK|INSUFFICIENT[_ ]DATA)\b:?\s*([^\n]*)/mu;

/** `The alarm X changed state to ALARM: reason`, with the alarm's page and its description below. */
function extractText(content: MessageContent): Alert | null {
  const text = plainText(content.body);
  const found = ALARM_SENTENCE.exec(text);
  const [, quoted, state, reason] = found ?? [];
  if (found === null || quoted === undefined || state === undefined) return null;

  const name = quoted.replace(/^"|"$/gu, '');
  const alertUrl = urlsOf(content).find((url) => /alarm/u.test(url)) ?? null;
  const below = withoutUrls(text.slice(found.index + found[0].length)).trim();
  const alert = alertFromAlarm('aws', {
    name,
    state: state.replace(' ', '_'),
    account: null,
    region: regionIn(alertUrl ?? ''),
    reason: toErrorMessage(reason ?? null),
    alertUrl,
  });
  return {
    ...alert,
    description: toDescription(content.body, toTitle(name)),
    errorMessage: toErrorMessage(below.split('\n\n', 1)[0] ?? '') ?? alert.errorMessage,
  };
}

const HEALTH_HEADING = /^New AWS Health Event\b/iu;

/** An event of AWS Health: open while its end is `<unknown>`, or still to come. */
function extractHealth(content: MessageContent): Alert | null {
  const part = content.attachments.find((one) =>
    HEALTH_HEADING.test(plainText(one.text || one.title || one.fallback)),
  );
  if (part === undefined) return null;
  const facts = fieldFacts(part);
  const title = toTitle(plainText(part.text || part.title || part.fallback));
  const link = factNamed(facts, 'link to event')?.url ?? null;
  const code = statedValue(facts, 'code');
  const region = statedValue(facts, 'affected region', 'region') ?? regionIn(link ?? '');
  const resources = statedValue(facts, 'affected resources') ?? '';
  const end = timestampIn(statedValue(facts, 'end time') ?? '');
  const over =
    end !== null && Date.parse(end) <= (Number(content.message.ts) || Number.POSITIVE_INFINITY) * 1000;
  return {
    ...emptyAlert('aws'),
    kind: over ? 'resolved' : 'firing',
    title,
    description: toDescription(attachmentText({ ...part, title: '', text: '' }), title),
    service: statedValue(facts, 'affected service'),
    triggeredAt: timestampIn(statedValue(facts, 'start time') ?? ''),
    alertUrl: link,
    host: /^[^\s,<>]{1,253}$/u.test(resources) ? resources : null,
    region,
    errorType: code,
    errorMessage: toErrorMessage(statedValue(facts, 'event description')),
    fingerprint: fingerprintOf('aws', 'health', region ?? '', code ?? title ?? '', resources),
  };
}

const FINDING_HEADING = /^AWS (GuardDuty|Security Hub) Finding - (.{1,500})$/isu;

/** A finding of GuardDuty, or of Security Hub, whose compliance tells when it is over. */
function extractFinding(content: MessageContent): Alert | null {
  for (const part of content.attachments) {
    const [, product, name] = FINDING_HEADING.exec(plainText(part.text).trim()) ?? [];
    if (product === undefined || name === undefined) continue;
    const facts = fieldFacts(part);
    const page = factNamed(facts, 'link to finding', 'finding url');
    const alertUrl = page?.url ?? (page?.value.startsWith('https:') ? page.value : null);
    const { fields } = fromLabels(facts);
    const account = statedValue(facts, 'account id') ?? '';
    const subject =
      searched(alertUrl ?? '') ?? [name, statedValue(facts, 'affected resource') ?? ''].join(' ');
    return {
      ...emptyAlert('aws'),
      ...fields,
      kind: statedValue(facts, 'compliance status')?.toUpperCase() === 'PASSED' ? 'resolved' : 'firing',
      title: toTitle(name),
      description: toDescription(attachmentText({ ...part, title: '', text: '' }), toTitle(name)),
      triggeredAt: timestampIn(statedValue(facts, 'first seen', 'first observed') ?? ''),
      alertUrl,
      region: fields.region ?? regionIn(alertUrl ?? ''),
      errorType: statedValue(facts, 'finding type', 'control id'),
      errorMessage: toErrorMessage(statedValue(facts, 'description')),
      fingerprint: fingerprintOf('aws', product.toLowerCase(), account, subject),
    };
  }
  return null;
}

/** The finding that a console's address searches for: `…#/findings?search=id%3Dabc`. */
function searched(url: string): string | null {
  const [, query] = /#\/findings(\?[^#]*)/u.exec(url) ?? [];
  return query === undefined ? null : queryParameter(`https://console.invalid/${query}`, 'search');
}

const BACKUP_SENTENCE = /\bAWS Backup (?:\w+ )?job\b/iu;
const FAILED = /\b(?:failed|expired|aborted|stopped)\b/iu;

/** A job of AWS Backup. Label and value are fields of their own; a success does not end a failure (guide, section 5). */
function extractBackup(content: MessageContent): Alert | null {
  for (const part of content.attachments) {
    const heads = [part.title, ...part.fields.map((field) => field.title), part.text];
    const title = toTitle(plainText(heads.find((head) => BACKUP_SENTENCE.test(head)) ?? ''));
    if (title === null) continue;
    const pairs = pairsOf(part);
    const values = part.fields.map(({ value }) => withoutMarkup(plainText(value)));
    const resource = values.find((value) => /^arn:/u.test(value) && !value.includes('recovery-point')) ?? '';
    const account = values.find((value) => /^\d{12}$/u.test(value)) ?? '';
    const failed = FAILED.test(title);
    return {
      ...emptyAlert('aws'),
      kind: failed ? 'firing' : 'not_an_alert',
      title,
      description: toDescription([...pairs].map(([name, value]) => `*${name}:* ${value}`).join('\n'), title),
      region: /^arn:[\w-]+:[\w-]+:([a-z\d-]+):/u.exec(resource)?.[1] ?? null,
      errorMessage: failed ? toErrorMessage(pairs.get('status message') ?? null) : null,
      fingerprint: failed ? fingerprintOf('aws', 'backup', account, resource, withoutMarkup(title)) : null,
    };
  }
  return null;
}

/** Labels with their values, which stand in the same field, or in the next one. */
function pairsOf({ fields }: Attachment): Map<string, string> {
  const pairs = new Map<string, string>();
  let label = '';
  for (const { title, value } of fields) {
    const words = withoutMarkup(plainText(value)).trim();
    if (title !== '' && words !== '') pairs.set(normalizedName(title), words);
    else if (value.startsWith('`') && label !== '') pairs.set(normalizedName(label), words);
    label = title === '' && !value.startsWith('`') ? words : '';
  }
  return pairs;
}

const Envelope = z.object({
  Type: scalarText,
  TopicArn: scalarText,
  Subject: scalarText,
  SubscribeURL: webUrl,
  Timestamp: moment,
  Message: z.unknown().optional(),
});

const Alarm = z.object({
  AlarmName: z
    .string()
    .min(1)
    .transform((name) => cleanText(name.slice(0, 255))),
  AlarmDescription: scalarText,
  AlarmArn: scalarText,
  AWSAccountId: scalarText,
  Region: scalarText,
  NewStateValue: scalarText,
  NewStateReason: scalarText,
  StateChangeTime: moment,
  Trigger: z
    .object({
      MetricName: scalarText,
      Namespace: scalarText,
      Dimensions: labelList,
    })
    .catch({ MetricName: '', Namespace: '', Dimensions: {} }),
});
type Alarm = z.output<typeof Alarm>;

/** CloudWatch's alarms through Amazon SNS; what else a topic delivers is read as well as it can be. */
function readWebhook(payload: unknown): WebhookReading {
  const envelope = Envelope.safeParse(payload);
  if (!envelope.success) return notAnObject('Amazon SNS');
  const { Type: type, TopicArn: topicArn, SubscribeURL: subscribeUrl, Message: message } = envelope.data;
  if (type === 'SubscriptionConfirmation')
    return subscribeUrl === null || topicArn === ''
      ? { kind: 'refused', reason: 'The confirmation has no `TopicArn` or no `SubscribeURL`.' }
      : { kind: 'confirm', topicArn, subscribeUrl };
  if (type === 'UnsubscribeConfirmation') return { kind: 'nothing', reason: 'The subscription was ended.' };
  if (typeof message === 'string' && hasTooManyValues(message))
    return { kind: 'refused', reason: TOO_MANY_VALUES };
  // A subscription with raw delivery sends the alarm alone.
  const inner = type === 'Notification' ? jsonIn(message) : payload;
  const alarm = Alarm.safeParse(alarmOfEvent(inner) ?? inner);
  const alert = alarm.success ? alarmAlert(alarm.data) : otherAlert(envelope.data, inner);
  return alert === null
    ? { kind: 'refused', reason: 'The notification has neither an alarm nor any text.' }
    : { kind: 'alerts', alerts: [alert] };
}

const StateChange = z.object({
  'detail-type': z.literal('CloudWatch Alarm State Change'),
  account: scalarText,
  region: scalarText,
  resources: z.array(scalarText).catch([]),
  detail: z.object({
    alarmName: scalarText,
    state: z.object({ value: scalarText, reason: scalarText, timestamp: scalarText }),
    configuration: z.object({ description: scalarText }).catch({ description: '' }),
  }),
});

/** EventBridge's event about an alarm, as the alarm itself. */
function alarmOfEvent(inner: unknown): unknown {
  const { success, data } = StateChange.safeParse(inner);
  if (!success) return null;
  const { alarmName, state, configuration } = data.detail;
  return {
    AlarmName: alarmName,
    AlarmDescription: configuration.description,
    AlarmArn: data.resources.find((arn) => arn.includes(':alarm:')) ?? '',
    AWSAccountId: data.account,
    Region: data.region,
    NewStateValue: state.value,
    NewStateReason: state.reason,
    StateChangeTime: state.timestamp,
  };
}

/** The JSON in a text; the text itself where it is none. */
function jsonIn(message: unknown): unknown {
  if (typeof message !== 'string') return message;
  try {
    return JSON.parse(message);
  } catch {
    return message;
  }
}

function alarmAlert(body: Alarm): ReceivedAlert {
  const [, , , code = ''] = body.AlarmArn.split(':', 4);
  const account = body.AWSAccountId || null;
  const region = code || body.Region || null;
  const alarm: CloudWatchAlarm = {
    name: body.AlarmName,
    state: body.NewStateValue,
    account,
    region,
    reason: toErrorMessage(body.NewStateReason),
    alertUrl: code === '' ? null : consoleUrl(code, body.AlarmName),
  };
  const read = alertFromAlarm('aws', alarm);
  const alert = {
    ...read,
    description: [body.AlarmDescription, body.NewStateReason].filter(Boolean).join('\n\n') || read.title,
    triggeredAt: body.StateChangeTime ?? read.triggeredAt,
  };
  const note =
    alert.kind === 'not_an_alert' ? `State changed to ${body.NewStateValue || 'an unknown one'}` : null;
  return receivedAlert({
    alert,
    note,
    labels: labelsOf(body, region),
    aliases: aliasesOf(alarm, body.Region, alert.fingerprint),
  });
}

function consoleUrl(region: string, name: string): string | null {
  return webUrl.parse(
    `https://${region}.console.aws.amazon.com/cloudwatch/home?region=${region}#alarmsV2:alarm/${encodeURIComponent(name)}`,
  );
}

function labelsOf(
  { AlarmName, AWSAccountId, Trigger }: Alarm,
  region: string | null,
): Record<string, string> {
  const stated = {
    ...Trigger.Dimensions,
    alarm: AlarmName,
    account: AWSAccountId,
    region: region ?? '',
    namespace: Trigger.Namespace,
    metric: Trigger.MetricName,
  };
  return Object.fromEntries(Object.entries(stated).filter(([, value]) => value !== ''));
}

/** What forwards alarms to Slack names the account and the region, only one of them, or the region by its display name. */
function aliasesOf(alarm: CloudWatchAlarm, displayed: string, own: string | null): AlertAlias[] {
  const { account, region } = alarm;
  const written: readonly (readonly [format: string, Partial<CloudWatchAlarm>])[] = [
    ['aws', { account: null, region }],
    ['aws', { account, region: displayed || null }],
    ['aws', { account: null, region: displayed || null }],
    ['aws', { account: null, region: null }],
    ['amazonq', { account, region }],
  ];
  const found = written.map(([format, parts]) => alertFromAlarm(format, { ...alarm, ...parts }).fingerprint);
  return [...new Set(found)]
    .filter((fingerprint) => fingerprint !== null && fingerprint !== own)
    .flatMap((fingerprint) => (fingerprint === null ? [] : [{ fingerprint, environment: null }]));
}

/** Another event, or a text that somebody published to the topic. */
function otherAlert(envelope: z.output<typeof Envelope>, inner: unknown): ReceivedAlert | null {
  const usual = usualParts(isRecord(inner) ? inner : {});
  const text = typeof inner === 'string' ? inner : '';
  const [first = ''] = scalarText.parse(text).split('\n', 1);
  const title = envelope.Subject || scalarText.parse(usual.title) || first;
  const labels = labelMap.parse(Object.fromEntries(factsOf(text).map(({ name, value }) => [name, value])));
  const parts = {
    ...usual,
    title,
    description: usual.description ?? text,
    labels: usual.labels ?? labels,
    time: usual.time ?? envelope.Timestamp ?? undefined,
    sentences: [...usual.sentences, envelope.Subject, first],
  };
  const found = alertOfParts('cloudwatch', parts, NO_VOCABULARY);
  if (found === null) return null;
  const fingerprint = fingerprintOf('aws', 'topic', envelope.TopicArn, found.alert.fingerprint ?? '');
  const { topic: _, ...others } = found.labels;
  // Routes match on it, so it comes first, and is not among the labels that are too many.
  const routed = envelope.TopicArn === '' ? found.labels : { topic: envelope.TopicArn, ...others };
  return receivedAlert({ ...found, alert: { ...found.alert, format: 'aws', fingerprint }, labels: routed });
}
