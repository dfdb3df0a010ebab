import { z } from 'zod';
import { alertOfParts, NO_VOCABULARY, usualParts } from '../../best-reading.ts';
import { alertFromAlarm, type CloudWatchAlarm } from '../../cloudwatch-alarm.ts';
import { fingerprintOf } from '../../fingerprint.ts';
import {
  cleanText,
  isRecord,
  moment,
  notAnObject,
  receivedAlert,
  scalarText,
  webUrl,
} from '../../payload.ts';
import { toErrorMessage } from '../../text-fields.ts';
import type { AlertAlias, ReceivedAlert, WebhookFormat, WebhookReading } from '../../webhook-format.ts';

const Envelope = z.object({
  Type: scalarText,
  TopicArn: scalarText,
  Subject: scalarText,
  SubscribeURL: webUrl,
  Timestamp: moment,
  Message: z.unknown().optional(),
});

const Dimension = z.object({ name: scalarText, value: scalarText }).nullable().catch(null);
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
      Dimensions: z.array(Dimension).catch([]),
    })
    .catch({ MetricName: '', Namespace: '', Dimensions: [] }),
});
type Alarm = z.output<typeof Alarm>;

/** CloudWatch's alarms through Amazon SNS; what else a topic delivers is read as well as it can be. */
export const cloudwatchWebhook: WebhookFormat = { name: 'cloudwatch', tool: 'CloudWatch', read };

function read(payload: unknown): WebhookReading {
  const envelope = Envelope.safeParse(payload);
  if (!envelope.success) return notAnObject('Amazon SNS');
  const { Type: type, TopicArn: topicArn, SubscribeURL: subscribeUrl, Message: message } = envelope.data;
  if (type === 'SubscriptionConfirmation')
    return subscribeUrl === null || topicArn === ''
      ? { kind: 'refused', reason: 'The confirmation has no `TopicArn` or no `SubscribeURL`.' }
      : { kind: 'confirm', topicArn, subscribeUrl };
  if (type === 'UnsubscribeConfirmation') return { kind: 'nothing', reason: 'The subscription was ended.' };
  // A subscription with raw delivery sends the alarm alone.
  const inner = type === 'Notification' ? jsonIn(message) : payload;
  const alarm = Alarm.safeParse(inner);
  const alert = alarm.success ? alarmAlert(alarm.data) : otherAlert(envelope.data, inner);
  return alert === null
    ? { kind: 'refused', reason: 'The notification has neither an alarm nor any text.' }
    : { kind: 'alerts', alerts: [alert] };
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

function alarmAlert(said: Alarm): ReceivedAlert {
  const [, , , code = ''] = said.AlarmArn.split(':', 4);
  const account = said.AWSAccountId || null;
  const region = code || said.Region || null;
  const alarm: CloudWatchAlarm = {
    name: said.AlarmName,
    state: said.NewStateValue,
    account,
    region,
    reason: toErrorMessage(said.NewStateReason),
    alertUrl: code === '' ? null : consoleUrl(code, said.AlarmName),
  };
  const read = alertFromAlarm('aws', alarm);
  const alert = {
    ...read,
    description: [said.AlarmDescription, said.NewStateReason].filter(Boolean).join('\n\n') || read.title,
    triggeredAt: said.StateChangeTime ?? read.triggeredAt,
  };
  const note =
    alert.kind === 'not_an_alert' ? `State changed to ${said.NewStateValue || 'an unknown one'}` : null;
  return receivedAlert({
    alert,
    note,
    labels: labelsOf(said, region),
    aliases: aliasesOf(alarm, said.Region, alert.fingerprint),
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
  const dimensions = Trigger.Dimensions.flatMap((one) =>
    one === null ? [] : [[one.name, one.value] as const],
  );
  const said = [
    ...dimensions,
    ['alarm', AlarmName],
    ['account', AWSAccountId],
    ['region', region ?? ''],
    ['namespace', Trigger.Namespace],
    ['metric', Trigger.MetricName],
  ] as const;
  return Object.fromEntries(
    said.filter(([name, value]) => name !== '' && name !== '__proto__' && value !== ''),
  );
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
  const title = envelope.Subject || scalarText.parse(usual.title) || scalarText.parse(text).split('\n', 1)[0];
  const parts = {
    ...usual,
    title,
    description: usual.description ?? text,
    time: usual.time ?? envelope.Timestamp ?? undefined,
    status: usual.status ?? envelope.Subject,
  };
  const found = alertOfParts('cloudwatch', parts, NO_VOCABULARY);
  if (found === null) return null;
  const fingerprint = fingerprintOf('aws', 'topic', envelope.TopicArn, found.alert.fingerprint ?? '');
  const { topic: _, ...others } = found.labels;
  // Routes match on it, so it comes first, and is not among the labels that are too many.
  const labels = envelope.TopicArn === '' ? found.labels : { topic: envelope.TopicArn, ...others };
  return receivedAlert({ ...found, alert: { ...found.alert, format: 'aws', fingerprint }, labels });
}
