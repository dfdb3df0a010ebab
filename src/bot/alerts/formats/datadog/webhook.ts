import { emptyAlert } from '../../empty-alert.ts';
import { fingerprintOf } from '../../fingerprint.ts';
import {
  isRecord,
  labelNamed,
  labelsOfTags,
  linksTo,
  moment,
  notAnObject,
  receivedAlert,
  scalarText,
  tagList,
  webUrl,
} from '../../payload.ts';
import { severityOf } from '../../severity.ts';
import { toErrorMessage, toTitle } from '../../text-fields.ts';
import type { AlertKind } from '../../types.ts';
import type { WebhookFormat, WebhookReading } from '../../webhook-format.ts';
import { identityOf, monitorSeverity, titleParts, transitionKind } from './monitor.ts';
import { fromScope, paragraphsOf, scopeOfLink, scopeOfTitle, sentenceOf } from './monitor-text.ts';

/** Datadog's webhooks integration. Its payload is written by people, so a variable may be under several names. */
export const datadogWebhook: WebhookFormat = { name: 'datadog', tool: 'Datadog', read };

/** The names under which people put Datadog's variables, without case and underscores. */
const NAMES = {
  title: ['eventtitle', 'title', 'alerttitle', 'subject'],
  text: ['textonlymsg', 'eventmsg', 'body', 'message', 'msg', 'text', 'description'],
  transition: ['alerttransition', 'transition', 'status', 'state'],
  type: ['alerttype', 'eventtype', 'type'],
  aggregation: ['aggregkey', 'aggregationkey', 'aggregatekey'],
  monitor: ['alertid', 'monitorid'],
  scope: ['alertscope', 'scope'],
  priority: ['alertpriority', 'priority', 'severity'],
  link: ['link', 'url', 'eventlink', 'alertlink'],
  snapshot: ['snapshot', 'image'],
  host: ['hostname', 'host'],
  date: ['date', 'dateposix', 'lastupdated', 'timestamp'],
} as const;

const TRANSITION =
  /^(?:re-?)?(?:triggered|warn(?:ing)?|no[ -]?data|notif(?:y|ied)|recovered|(?:un)?muted)$/iu;
const RECOVERED = /^(?:success|ok|recovery|resolved|closed)$/iu;

function read(payload: unknown): WebhookReading {
  if (!isRecord(payload)) return notAnObject('Datadog');
  const named = new Map(
    Object.entries(payload).map(([name, value]) => [name.toLowerCase().replace(/[^a-z]/gu, ''), value]),
  );
  const find = (key: keyof typeof NAMES): string => {
    const values = NAMES[key].map((name) => scalarText.parse(named.get(name)));
    // A variable that Datadog does not know stays as it is written.
    return values.find((value) => value !== '' && !/^\$[A-Z_]+$/u.test(value)) ?? '';
  };
  const heading = find('title');
  const text = find('text').replace(/^%%%\s?|\s?%%%$/gu, '');
  if (heading === '' && text === '')
    return {
      kind: 'refused',
      reason: 'The body has neither a title nor a text; use the payload that the documentation shows.',
    };

  const parts = titleParts(heading);
  const name = parts?.name ?? heading;
  const written = [find('transition'), parts?.transition ?? ''].filter((word) => word !== '');
  // A status may be a sentence about the metric, which says nothing of the transition.
  const transition = written.find((word) => TRANSITION.test(word)) ?? '';
  const kind = kindOf(transition, [...written, find('type')]);
  const link = webUrl.parse(find('link'));
  const scope = scopeOf(find('scope'), parts?.scope, name, link ?? '');
  const tags = tagList.parse(named.get('tags'));
  const labels = { ...labelsOfTags(tags), ...labelsOfTags(scope) };
  const said = fromScope(scope, text);
  const title = toTitle(`${parts?.priority ?? ''}${name}`) ?? toTitle(text) ?? 'Datadog alert';
  const monitor = identityOf(link ?? '', scope, find('monitor') || name);
  const ids = find('monitor') === '' ? [monitor] : [identityOf('', scope, find('monitor'))];
  const aggregation = find('aggregation');
  // Without the monitor's group, its alerts are told apart by what Datadog groups its events by.
  const own =
    scope.length === 0 && aggregation !== ''
      ? fingerprintOf('datadog', 'aggregation', aggregation)
      : (ids[0] ?? monitor);
  const environment = said.environment ?? labelNamed(labels, 'env', 'environment');
  const alert = {
    ...emptyAlert('datadog'),
    ...said,
    kind,
    title,
    description: text || title,
    severity: severityOf(find('priority')) ?? monitorSeverity(`${parts?.priority ?? ''}${name}`, transition),
    environment,
    service: said.service ?? labelNamed(labels, 'service'),
    host: said.host ?? (find('host') || labelNamed(labels, 'host')),
    region: said.region ?? labelNamed(labels, 'region', 'aws_region'),
    version: said.version ?? labelNamed(labels, 'version'),
    triggeredAt: moment.parse(find('date')),
    alertUrl: link,
    errorMessage: toErrorMessage(sentenceOf(paragraphsOf(text))),
    tags: tags.slice(0, 50),
    fingerprint: own,
  };
  const aliases = [monitor, ...ids]
    .filter((fingerprint, at, all) => all.indexOf(fingerprint) === at)
    .filter((fingerprint) => fingerprint !== own || environment !== said.environment)
    .map((fingerprint) => ({ fingerprint, environment: said.environment }));
  const links = linksTo(['Snapshot', find('snapshot')]);
  const note =
    kind === 'not_an_alert' ? (toTitle(transition || find('type'))?.slice(0, 150) ?? 'Updated') : null;
  return { kind: 'alerts', alerts: [receivedAlert({ alert, note, labels, links, aliases })] };
}

/** By the transition; if there is none, by what else is said of the state. */
function kindOf(transition: string, words: readonly string[]): AlertKind {
  if (transition !== '') return transitionKind(transition);
  return words.some((word) => RECOVERED.test(word)) ? 'resolved' : 'firing';
}

function scopeOf(stated: string, titled: string | undefined, name: string, link: string): string[] {
  const written = [stated, titled ?? ''].flatMap((scope) => scope.split(/,\s?/u));
  const pairs = written
    .map((pair) => pair.trim())
    .filter((pair) => /^[\w./-]{1,80}:[^\s,{}*]{1,200}$/u.test(pair));
  return [...new Set([...pairs, ...(titled === undefined ? scopeOfTitle(name) : []), ...scopeOfLink(link)])];
}
