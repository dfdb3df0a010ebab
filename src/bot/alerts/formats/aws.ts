import { z } from 'zod';
import { isJsonObject, parseJson } from '../../../lib/json.ts';
import { regionIn } from '../details.ts';
import { factNamed, factsOf, statedValue } from '../facts.ts';
import type { Format, ReceivedAlert, WebhookReading } from '../format.ts';
import { fingerprintOf } from '../identity.ts';
import { attachmentText, fieldFacts, type MessageContent } from '../message.ts';
import { alertOfParts, NO_VOCABULARY, usualParts } from '../parts.ts';
import {
  cleanText,
  hasTooManyValues,
  labelList,
  labelMap,
  moment,
  notAnObject,
  receivedAlert,
  scalarText,
  statedLabels,
  TOO_MANY_VALUES,
  webUrl,
} from '../payload.ts';
import { formatOf } from '../row.ts';
import { plainText, toDescription, toErrorMessage, toTitle } from '../slack-text.ts';
import { timestampIn } from '../timestamps.ts';
import { type Alert, emptyAlert } from '../types.ts';

const STATES = { alarm: 'firing', ok: 'resolved', '': 'not_an_alert' } as const;
const ALARM_PAGE = /\/cloudwatch\/(?:[^#]*?[?&]region=(?<place>[a-z\d-]{4,30}))?.*[#:]alarm/u;

/** What terraform-aws-notify-slack, aws-to-slack and the like make of CloudWatch's and AWS's other notifications. */
const messages = formatOf(
  {
    name: 'aws',
    tool: 'AWS',
    from: {
      page: true,
      labels: ['alarm name', 'current state'],
      line: /^AWS CloudWatch (?:notification|Alarm)\b/iu,
    },
    says: [
      /^(?:(?:Current|New) State|State Change): (?:\w+ (?:→|->|=>) )?(?<now>ALARM|OK|INSUFFICIENT[_ ]DATA)$/iu,
    ],
    also: [
      ['{card text}', /^AWS CloudWatch notification - (?<heading>.{1,255})$/u],
      ['{card text}', /^(?!AWS CloudWatch )(?<said>[\s\S]+)$/u],
      ['{card author}', /\((?<account>\d{12})\)/u],
      ['{now}: {alarm name|heading|card title}', /^\w[\w ]*: (?<name>.+)$/u],
    ],
    state: '{now}',
    states: STATES,
    title: '{name}',
    page: ALARM_PAGE,
    fields: { region: '{region|place}' },
    error: '{alarm reason|reason|said}',
    at: '{alarm reason|reason|said}',
    identity: ['alarm', '{account|account id}', '{region|place}', '{name}'],
  },
  {
    // CloudWatch's mail, forwarded as it is.
    name: 'aws',
    tool: 'AWS',
    says: [/^(?<state>ALARM|OK|INSUFFICIENT_DATA): "(?<name>[^"\n]{1,255})" in (?<region>[^\n]{2,60})$/u],
    states: STATES,
    title: '{name}',
    fields: { region: '{region}' },
    error: '{field value}',
    identity: ['alarm', '', '{region}', '{name}'],
  },
  {
    // With the alarm's page and its description below.
    name: 'aws',
    tool: 'AWS',
    says: [
      /^\W{0,4}The alarm "?(?<name>[^"\s]{1,255}|(?<=")[^"\n]{1,255})"? changed state to (?<state>ALARM|OK|INSUFFICIENT[_ ]DATA)\b:?\s*(?<reason>.*)$/u,
    ],
    also: [['{below}', /^\s*(?<about>\S.*)$/mu]],
    states: STATES,
    title: '{name}',
    page: ALARM_PAGE,
    fields: { region: '{place}' },
    error: '{about|reason}',
    identity: ['alarm', '', '{place}', '{name}'],
  },
  {
    // The compliance of a finding of Security Hub tells when it is over.
    name: 'aws',
    tool: 'AWS',
    says: [/^AWS (?<product>GuardDuty|Security Hub) Finding - (?<name>.{1,500})$/iu],
    also: [['{name} {affected resource}', /^(?<subject>.+)$/u]],
    state: '{compliance status|product}',
    states: { passed: 'resolved', '': 'firing' },
    title: '{name}',
    page: /[?&]region=(?<place>[a-z\d-]{4,30}).*#\/findings(?:\?(?:.*&)?search=(?<search>[^&#]+))?/u,
    isLabelled: true,
    fields: { region: '{region|place}', errorType: '{finding type|control id}' },
    error: '{description}',
    at: '{first seen|first observed}',
    identity: ['{product:lower}', '{account id}', '{search|subject}'],
  },
  {
    // A success does not end a failure (guide, section 5).
    name: 'aws',
    tool: 'AWS',
    says: [/^\W{0,4}(?<what>.{0,40}\bAWS Backup (?:\w+ )?job\b.*)$/iu],
    also: [
      ['{what}', /\b(?<state>failed|expired|aborted|stopped)\b/iu],
      /^(?<resource>arn:(?!.*recovery-point)\S+)$/u,
      /^(?<account>\d{12})$/u,
      ['{resource}', /^arn:[\w-]+:[\w-]+:(?<region>[a-z\d-]+):/u],
    ],
    states: { failed: 'firing', expired: 'firing', aborted: 'firing', stopped: 'firing' },
    title: '{what}',
    fields: { region: '{region}' },
    identity: ['backup', '{account}', '{resource}', '{what}'],
  },
);

export const aws: Format = {
  ...messages,
  webhook: { name: 'cloudwatch', tool: 'CloudWatch', read: readWebhook },
  extract: (content) => (content.person ? null : (extractHealth(content) ?? messages.extract(content))),
};

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
  const json = typeof message === 'string' ? parseJson(message) : undefined;
  const inner = type === 'Notification' ? (json === undefined ? message : json) : payload;
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

function alarmAlert(body: Alarm): ReceivedAlert {
  const [, , , code = ''] = body.AlarmArn.split(':', 4);
  const account = body.AWSAccountId;
  const region = code || body.Region;
  const state = body.NewStateValue.toLowerCase();
  const title = toTitle(body.AlarmName);
  const identity = (format: string, where: readonly string[]) =>
    fingerprintOf(format, 'alarm', ...where, body.AlarmName);
  const fingerprint = identity('aws', [account, region]);
  // What forwards alarms to Slack names the account and the region, only one of them, or the region by its display name.
  const others = [
    identity('aws', ['', region]),
    identity('aws', [account, body.Region]),
    identity('aws', ['', body.Region]),
    identity('aws', ['', '']),
    identity('amazonq', [account, region]),
  ].filter((other) => other !== fingerprint);
  const kind = state === 'alarm' ? 'firing' : state === 'ok' ? 'resolved' : 'not_an_alert';
  return receivedAlert({
    alert: {
      ...emptyAlert('aws'),
      kind,
      title,
      description: [body.AlarmDescription, body.NewStateReason].filter(Boolean).join('\n\n') || title,
      region: region || null,
      triggeredAt: body.StateChangeTime ?? timestampIn(body.NewStateReason),
      alertUrl: code === '' ? null : consoleUrl(code, body.AlarmName),
      errorMessage: toErrorMessage(body.NewStateReason),
      fingerprint,
    },
    note: kind === 'not_an_alert' ? `State changed to ${body.NewStateValue || 'an unknown one'}` : null,
    labels: labelsOf(body, region),
    aliases: [...new Set(others)].map((other) => ({ fingerprint: other, environment: null })),
  });
}

function consoleUrl(region: string, name: string): string | null {
  return webUrl.parse(
    `https://${region}.console.aws.amazon.com/cloudwatch/home?region=${region}#alarmsV2:alarm/${encodeURIComponent(name)}`,
  );
}

function labelsOf({ AlarmName, AWSAccountId, Trigger }: Alarm, region: string): Record<string, string> {
  return statedLabels({
    ...Trigger.Dimensions,
    alarm: AlarmName,
    account: AWSAccountId,
    region,
    namespace: Trigger.Namespace,
    metric: Trigger.MetricName,
  });
}

/** Another event, or a text that somebody published to the topic. */
function otherAlert(envelope: z.output<typeof Envelope>, inner: unknown): ReceivedAlert | null {
  const usual = usualParts(isJsonObject(inner) ? inner : {});
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
