import type { Organization } from '../../../contract/client/client.ts';
import { date } from '../dates.ts';
import { channelMention, quoted } from '../escape.ts';
import { providerName } from '../evidence/asked.ts';
import { fitMessage } from '../fit.ts';
import { context, inSections, type Rendered, section } from '../rendered.ts';
import { pausedWords } from '../settings/settings.ts';
import { count } from '../words.ts';

/** What `/gumshoe status` shows; times in milliseconds. */
export interface StatusView {
  /** `null` in a direct message. */
  channel: ChannelStatus | null;
  /** Who paused filing, and when; `null` while it goes on. */
  paused: { by: string; at: number } | null;
  /** What investigations read, and whether it answers; `null` if the service does not say. */
  sources: readonly { name: string; ok: boolean; summary: string }[] | null;
  /** Sentences about what is failing. */
  degraded: readonly string[];
  /** For admins; `null` for others. */
  program: ProgramStatus | null;
}

interface ChannelStatus {
  id: string;
  watched: boolean;
  /** New issues in the last `minutes`, and the limit. */
  budget: { used: number; issues: number; minutes: number };
  /** Issues that live here and are not resolved. */
  open: number;
  held: number;
  digest: { words: string; nextAt: number } | null;
}

export interface ServiceStatus {
  /** `issues`, `artifacts` or `query`. */
  part: string;
  /** The part's organization; the default one if absent. */
  organization?: Organization;
  /** `held_back`: it failed so often that calls are not made for a while. */
  state: 'answers' | 'fails' | 'held_back';
  since: number;
  calledAt: number | null;
}

export interface ProgramStatus {
  version: string;
  startedAt: number;
  /** `null` while Slack does not deliver. */
  slackSince: number | null;
  service: readonly ServiceStatus[];
  polledAt: number | null;
  /** Messages and edits not sent yet. */
  outbox: number;
  /** Deliveries from Slack not handled yet. */
  inbox: number;
  /** Issues not created at the service yet. */
  pending: number;
  /** New issues in the last 24 hours, and the limit. */
  day: { used: number; issues: number };
  watchedChannels: number;
  /** The language model of the service, and its tokens today (UTC); `null` for none. */
  model?: { name: string; host: string; tokens: number; ceiling: number } | null;
}

const MAX_SENTENCE = 300;
const PARTS: Record<string, string> = { issues: 'issues', query: 'questions', artifacts: 'evidence' };

/** Gumshoe's status: this channel's part for everybody, all of it for admins. */
export function renderStatus(view: StatusView): Rendered {
  const problems = view.degraded.length + (view.program?.slackSince === null ? 1 : 0);
  const headline = problems === 0 ? '🟢 Gumshoe is up.' : '🟠 Gumshoe is up, but something needs attention.';
  return fitMessage({
    text: headline,
    blocks: [
      section(`*${headline}*`),
      ...(view.paused ? [section(pausedWords(view.paused))] : []),
      ...inSections(view.degraded.map((sentence) => `⚠️ ${plain(sentence)}`)),
      ...(view.sources === null ? [] : [section(sourcesLine(view.sources))]),
      ...(view.channel === null ? [] : inSections(channelLines(view.channel))),
      ...(view.program === null
        ? [context('Admins see more here: Slack, the service, and the queues.')]
        : inSections(programLines(view.program))),
    ],
  });
}

/** `*Connected:* Prometheus · ⚠️ Loki: Loki at http://loki:3100 could not be reached`. */
function sourcesLine(sources: NonNullable<StatusView['sources']>): string {
  const named = sources.map(({ name, ok, summary }) => {
    const shown = plain(providerName(name));
    return ok ? shown : `⚠️ ${shown}: ${plain(summary)}`;
  });
  return `*Connected:* ${named.join(' · ') || 'nothing yet'}`;
}

function channelLines({ id, watched, budget, open, held, digest }: ChannelStatus): string[] {
  const { used, issues, minutes } = budget;
  return [
    `*In ${channelMention(id)}*`,
    watched ? '• Watched: new alerts are picked up' : '• Not watched: `/gumshoe watch` turns on filing here',
    `• ${count(open, 'open issue')}${held > 0 ? ` · ${count(held, 'held alert')}, awaiting a decision` : ''}`,
    ...(watched
      ? [`• Budget: ${used} of ${count(issues, 'new issue')} in ${count(minutes, 'minute')} used`]
      : []),
    digest === null ? '• No digest' : `• Digest: ${plain(digest.words)}, next one ${date(digest.nextAt)}`,
  ];
}

/** A line for each part of the program, in safe mrkdwn. */
export function programLines(program: ProgramStatus): string[] {
  const { slackSince, service, polledAt, outbox, inbox, pending, day } = program;
  return [
    '*Internals*',
    slackSince === null
      ? '• ⚠️ Slack is disconnected; reconnecting'
      : `• Slack: connected since ${date(slackSince)}`,
    ...(service.length === 0 ? ['• Investigation service: not called yet'] : service.map(serviceLine)),
    polledAt === null
      ? '• Investigations: not polled yet'
      : `• Investigations: last polled ${date(polledAt)}`,
    `• ${count(outbox, 'message')} to send · ${count(inbox, 'delivery', 'deliveries')} to handle · ${count(pending, 'issue')} to file`,
    `• ${day.used} of ${count(day.issues, 'new issue')} from alerts in 24 hours used, symptoms not counted · ${count(program.watchedChannels, 'watched channel')}`,
    ...(program.model ? [modelLine(program.model)] : []),
    `• Version ${plain(program.version)}, running since ${date(program.startedAt)}`,
  ];
}

function modelLine({ name, host, tokens, ceiling }: NonNullable<ProgramStatus['model']>): string {
  const of = (n: number) => n.toLocaleString('en-US');
  const full = tokens >= ceiling ? ': used up, so answers are made without it until midnight (UTC)' : '';
  return `• Language model, ${plain(name)} at ${plain(host)}: ${of(tokens)} of ${of(ceiling)} tokens today${full}`;
}

function serviceLine({
  part,
  organization,
  state,
  since,
  calledAt,
}: ProgramStatus['service'][number]): string {
  const named = Object.hasOwn(PARTS, part) ? PARTS[part] : plain(part);
  const whose = organization === 'private' ? ' for private channels' : '';
  const name = `• Investigation service, ${named}${whose}:`;
  const last = calledAt === null ? '' : `, last called ${date(calledAt)}`;
  switch (state) {
    case 'answers':
      return `${name} up${last}`;
    case 'fails':
      return `${name} ⚠️ failing since ${date(since)}${last}`;
    case 'held_back':
      return `${name} ⚠️ failed too often, not called since ${date(since)}${last}; retried automatically`;
  }
}

function plain(text: string): string {
  return quoted(text, MAX_SENTENCE);
}
