import type { Organization } from '../../contract/client/client.ts';
import { IssueContext, type IssueCreate } from '../../contract/schema.ts';
import { cutAtWord, oneLine } from '../../lib/text.ts';
import { canonicalEnvironment } from '../alerts/identity.ts';
import { PARTICULAR, WORDED } from '../alerts/nearest.ts';
import type { Alert, Severity } from '../alerts/types.ts';
import { atService, type IssueNumber } from '../shared/issue-number.ts';
import { withPermalink, withReference } from './reference.ts';

/** The contract's limit (2.5). */
const MAX_TITLE = 500;

/** Where a message is in Slack. */
interface Origin {
  issueId: string;
  channel: string;
  ts: string;
  permalink: string | null;
  /** Where it is filed; the default organization if not given. */
  organization?: Organization;
}

/** Values for what the message does not state, and what else is known. */
export interface RequestDefaults {
  environment: string;
  severity: Severity;
  earlier: Earlier | null;
  /** What is open beside it, for the investigation. */
  open?: readonly OpenCause[];
  /** Another open issue in the channel has the alert's title. */
  isTitleTaken: boolean;
}

/** What an open issue of the service is known to be caused by. */
export interface OpenCause {
  /** Its number at the service. */
  issue: number;
  /** Kind and place: `bad deploy of payments`. */
  cause: string;
  service: string | null;
}

/** One word that a title has room for. */
const WORD = /^\S{2,60}$/u;

/** What the alert is called; where that is taken, with the first identifier that tells it from the others. */
export function titleOf({ title, errorMessage, basis }: Alert, isTaken: boolean): string {
  const stated = [title, errorMessage].map((words) => oneLine(words ?? '')).find(Boolean);
  const name = cutAtWord(stated ?? 'Alert without a title', MAX_TITLE);
  if (!isTaken) return name;
  const lower = name.toLowerCase();
  const apart = basis?.by.find(
    ({ key, text }) =>
      !WORDED.has(key) && WORD.test(text) && PARTICULAR.test(text) && !lower.includes(text.toLowerCase()),
  );
  return apart === undefined ? name : `${cutAtWord(name, MAX_TITLE - apart.text.length - 3)} (${apart.text})`;
}

/**
 * The create request for an alert (contract 2.5): everything the message states, and the way back to it. `triggeredAt`
 * is the time that the message states, otherwise Slack's `ts`.
 */
export function requestForAlert(alert: Alert, origin: Origin, defaults: RequestDefaults): IssueCreate {
  const title = titleOf(alert, defaults.isTitleTaken);
  const context = {
    alertUrl: alert.alertUrl,
    service: alert.service,
    traceId: alert.traceId,
    spanId: alert.spanId,
    errorType: alert.errorType,
    errorMessage: alert.errorMessage,
    host: alert.host,
    region: alert.region,
    version: alert.version,
    tags: alert.tags.length > 0 ? alert.tags : null,
    metadata: {
      source: alert.format,
      ...(alert.fingerprint ? { fingerprint: alert.fingerprint } : {}),
      channel: origin.channel,
      slackTs: origin.ts,
      ...(defaults.open === undefined || defaults.open.length === 0 ? {} : { open: defaults.open }),
    },
  };
  return {
    title,
    description: withReference(
      describeAlert(alert, title, defaults.earlier, origin.organization),
      origin.issueId,
      origin.permalink,
    ),
    environment: canonicalEnvironment(alert.environment?.trim() || defaults.environment),
    severity: alert.severity ?? defaults.severity,
    triggeredAt: alert.triggeredAt ?? timeOf(origin.ts),
    context: IssueContext.parse(
      Object.fromEntries(Object.entries(context).filter(([, value]) => value !== null)),
    ),
  };
}

/** The request of an alert whose message is in Slack by now. */
export function placedRequest(
  request: IssueCreate,
  issueId: string,
  { channel, ts, permalink }: { channel: string; ts: string; permalink: string | null },
): IssueCreate {
  const { description, context } = request;
  const metadata = { ...context?.metadata, channel, slackTs: ts };
  return {
    ...request,
    description: withPermalink(description, issueId, permalink),
    context: { ...context, metadata },
  };
}

/** Slack's `ts` as an ISO 8601 time. */
function timeOf(ts: string): string {
  return new Date(Number(ts) * 1000).toISOString();
}

/** The contract sets no limit; a description is read by people and by an agent. */
const MAX_WORDS = 20_000;
const MAX_FACT = 500;

/** A resolved issue of the same alert. */
export interface Earlier {
  /** The number people see: `#12`. */
  number: IssueNumber;
  /** Milliseconds since 1970. */
  resolvedAt: number;
  rootCause: string | null;
}

/**
 * An alert's own text, then its facts as a list, then its earlier issue, in Markdown.
 *
 * @param organization whose agent will read it: another organization's issue numbers mean nothing there
 */
function describeAlert(
  alert: Alert,
  title: string,
  earlier: Earlier | null,
  organization: Organization = 'default',
): string {
  const words = cutAtWord((alert.description ?? '').trim(), MAX_WORDS);
  const list = factsOf(alert).map(([name, value]) => `- ${name}: ${cutAtWord(oneLine(value), MAX_FACT)}`);
  return [words || title, list.join('\n'), ...(earlier ? [earlierLine(earlier, organization)] : [])].join(
    '\n\n',
  );
}

function factsOf(alert: Alert): [name: string, value: string][] {
  const error = [alert.errorType, alert.errorMessage].filter((part) => part !== null).join(': ');
  const facts: [string, string | null][] = [
    ['State', alert.kind === 'not_an_alert' ? null : alert.kind],
    ['Severity', alert.severity],
    ['Environment', alert.environment],
    ['Service', alert.service],
    ['Host', alert.host],
    ['Region', alert.region],
    ['Version', alert.version],
    ['Trace', alert.traceId],
    ['Span', alert.spanId],
    ['Error', error],
    ['Alert', alert.alertUrl],
  ];
  return facts.flatMap(([name, value]) => (value?.trim() ? [[name, value]] : []));
}

function earlierLine({ number, resolvedAt, rootCause }: Earlier, organization: Organization): string {
  const there = atService(number);
  const name = there.organization === organization ? `#${there.number}` : 'an issue of another organization';
  const cause = cutAtWord(oneLine(rootCause ?? ''), MAX_FACT);
  return `Earlier: ${name}, resolved ${new Date(resolvedAt).toISOString()}${cause ? `: ${cause}` : ''}`;
}

const SEVERITIES = ['low', 'medium', 'high'] as const;
type StatedSeverity = (typeof SEVERITIES)[number];

/** What a person wrote after `/investigate`. */
export interface InvestigateWords {
  text: string;
  severity: StatedSeverity | null;
  environment: string | null;
  service: string | null;
  /** The value of an invalid `severity:`; `null` if it is valid or missing. */
  unknownSeverity: string | null;
}

const VALUE = /"[^"]*"|[“”„«][^“”"«»]*[“”"»]|\S+/u.source;
/**
 * Where spaces are allowed, only values that no sentence would contain: `checkout service: slow` mentions a service,
 * but does not state one.
 */
const STATED = new RegExp(
  `(?<!\\S)(?:(severity|sev|env)\\s*[:=]\\s*|(environment|service)[:=])(${VALUE})`,
  'giu',
);

/** Parses `<what is wrong> [severity:high] [env:staging] [service:…]`, in any order. */
export function readInvestigate(input: string): InvestigateWords {
  const words: InvestigateWords = {
    text: '',
    severity: null,
    environment: null,
    service: null,
    unknownSeverity: null,
  };
  const rest = input.replace(STATED, (_whole, spaced?: string, close?: string, quoted = '') => {
    const value = quoted.replace(/^["“”„«]|["“”»]$/gu, '').trim();
    const name = (spaced ?? close ?? '').toLowerCase();
    if (name.startsWith('sev')) {
      const severity = SEVERITIES.find((s) => s === value.toLowerCase());
      if (severity) words.severity = severity;
      else words.unknownSeverity = value;
    } else if (name === 'service') words.service = value || null;
    else words.environment = value || null;
    return ' ';
  });
  words.text = oneLine(rest).replace(/^["“”„](.*)["”“]$/u, '$1');
  return words;
}

/** The create request for a person's own words. */
export function requestForWords(
  words: InvestigateWords,
  origin: { issueId: string; channel: string; at: number; userId: string },
  defaultEnvironment: string,
): IssueCreate {
  return {
    title: cutAtWord(words.text, MAX_TITLE),
    description: withReference(words.text, origin.issueId, null),
    environment: canonicalEnvironment(words.environment ?? defaultEnvironment),
    severity: words.severity ?? 'medium',
    triggeredAt: new Date(origin.at).toISOString(),
    context: {
      ...(words.service ? { service: words.service } : {}),
      metadata: { source: 'slack', channel: origin.channel },
    },
  };
}

/** An issue that a person describes in the form, with every field of the create request (contract 2.5). */
export interface IssueDraft {
  title: string;
  description: string;
  environment: string;
  severity: 'low' | 'medium' | 'high';
  /** Milliseconds since the epoch; `null` for now. */
  triggeredAt: number | null;
  /** The context that was stated; empty texts are left out. */
  context: Partial<Record<ContextText, string>>;
  tags: readonly string[];
  metadata: Readonly<Record<string, string>>;
}

type ContextText =
  | 'alertUrl'
  | 'service'
  | 'traceId'
  | 'spanId'
  | 'errorType'
  | 'errorMessage'
  | 'host'
  | 'region'
  | 'version';

export function requestForDraft(
  draft: IssueDraft,
  origin: { issueId: string; channel: string; now: number },
): IssueCreate {
  const stated = Object.entries(draft.context).filter(([, value]) => value !== '');
  const context: IssueContext = {
    ...Object.fromEntries(stated),
    ...(draft.tags.length === 0 ? {} : { tags: [...draft.tags] }),
    metadata: { source: 'slack', channel: origin.channel, ...draft.metadata },
  };
  return {
    title: oneLine(draft.title),
    description: withReference(draft.description, origin.issueId, null),
    environment: canonicalEnvironment(draft.environment),
    severity: draft.severity,
    triggeredAt: new Date(draft.triggeredAt ?? origin.now).toISOString(),
    context,
  };
}
