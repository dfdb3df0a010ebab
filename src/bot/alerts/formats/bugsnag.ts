import { type ErrorDetails, errorIn, errorInSentence, isErrorType } from '../details.ts';
import { fromLabels, statedValue } from '../facts.ts';
import type { Format } from '../format.ts';
import { fingerprintOf } from '../identity.ts';
import { blocksText, isSentBy, type MessageContent } from '../message.ts';
import {
  firstCodeBlock,
  linksOf,
  plainText,
  quotableText,
  toDescription,
  toErrorMessage,
  toTitle,
  withoutUrls,
} from '../slack-text.ts';
import { severityOf } from '../state.ts';
import { timestampIn } from '../timestamps.ts';
import { type Alert, type AlertKind, emptyAlert } from '../types.ts';

const PROJECT = /^https?:\/\/(?:app\.)?bugsnag\.com\/(?:[\w.-]{1,80}\/)([\w.-]{1,80})/u;
const ERROR = /\/errors\/([\w-]{1,80})/u;
/** `New error in production from shop-api in CartController#show (details)`, in any of its parts. */
const PLACED =
  /^(.{1,200}?) in (?:the )?([\w.-]{1,40}) from ([^\n:(!]{1,120}?)(?: in ([^\n(]{1,200}?))?(?: ?\((?:details|view)\))?(?:[!:.] ?(.*)| [-–—] (.+))?$/iu;
/** `[shop-api] New error in production: NoMethodError: …` */
const BRACKETED = /^\[([^\]\n]{1,120})\]\s*(.{1,200}?)(?: in ([\w.-]{1,40}))?(?:: | - | – | — |$)(.*)$/u;
/** `NoMethodError in CartController#show`. */
const CONTEXT = /^([^\s:]{1,200}(?:::[^\s:]{1,100}){0,6}) in (\S.{0,200})$/u;
const SPIKE = /^(?:Spike of .{1,40}|.{0,40}\bspik(?:e|ing)\b.{0,40}?) (?:from|in) ([^\n(]{1,120})/iu;
const TRIGGER =
  /^(?:new|first|frequent|unhandled|handled|\d[\d,]*(?:st|nd|rd|th)|re-?opened|reoccurring|regressed|resolved|fixed|closed|ignored|snoozed|an?|error|exception|crash|warning|info)\b/iu;
const OVER = /\b(?:resolved|fixed|closed)\b/iu;
const NOTED =
  /^(?:comment on\b|.{1,80} commented on\b)|\b(?:ignored|snoozed|assigned|commented|new release|rate.limit\w*)\b/iu;

/** Bugsnag's errors, by the two layouts of its own plugin for Slack; spikes, too, and comments, which are no alerts. */
export const bugsnag: Format = { name: 'bugsnag', tool: 'Bugsnag', extract };

/** An error's first line, its class and message, and the error's page; `null` for what has another layout. */
function extract(content: MessageContent): Alert | null {
  if (content.person || !isSentBy(content, /^bugsnag\b/iu)) return null;
  const { message, attachments } = content;
  const texts = [
    message.text,
    blocksText(message.blocks),
    ...attachments.flatMap(({ pretext, title }) => [pretext, title]),
  ];
  const lines = [
    ...texts.flatMap((text) => text.split('\n', 40)),
    ...attachments.flatMap(({ text }) => text.split('\n', 40)),
  ]
    .map(quotableText)
    .filter((line) => line !== '');
  const [head] = lines;
  if (head === undefined) return null;
  const read = headOf(head);
  if (read === null) return null;

  const links = linksOf(content.body);
  const page = links.find(({ url }) => ERROR.test(url) || PROJECT.test(url))?.url ?? null;
  const error = ERROR.exec(links.find(({ url }) => ERROR.test(url))?.url ?? '')?.[1];
  const { fields } = fromLabels(content.facts);
  const stated = statedValue(content.facts, 'error');
  const below = lines.slice(1).find((line) => line !== head && !LABELLED.test(line));
  const thrown =
    stated === null ? thrownOf(read, below, firstCodeBlock(plainText(content.body))) : errorIn(stated);
  const name = [thrown.errorType, thrown.errorMessage].filter(Boolean).join(': ');
  const service =
    fields.service ??
    statedValue(content.facts, 'project') ??
    read.project ??
    PROJECT.exec(page ?? '')?.[1] ??
    null;
  const environment =
    fields.environment ?? statedValue(content.facts, 'stage', 'release stage') ?? read.stage ?? null;
  const title = toTitle(read.spike || name === '' ? head : name);
  return {
    ...emptyAlert('bugsnag'),
    ...fields,
    kind: read.kind,
    title,
    description: toDescription(content.body, title),
    severity: fields.severity ?? severityOf(read.level ?? ''),
    environment,
    service,
    triggeredAt: timestampIn(withoutUrls(content.body)),
    alertUrl: links.find(({ url }) => ERROR.test(url))?.url ?? page,
    ...thrown,
    fingerprint:
      error === undefined
        ? fingerprintOf(
            'bugsnag',
            'name',
            (service ?? '').toLowerCase(),
            environment ?? '',
            read.spike ? 'spike' : name,
          )
        : fingerprintOf('bugsnag', 'error', error),
  };
}

const LABELLED =
  /^(?:error|location|comment|severity|stage|release stage|project|time|environment|host|user|users|events|(?:app )?version|(?:first|last) seen|view|open)\b[^:]{0,20}(?::|$)/iu;

interface Head {
  kind: AlertKind;
  /** The error's class and message, as far as the first line says them. */
  error: string;
  stage?: string | undefined;
  project?: string | undefined;
  level?: string | undefined;
  spike?: boolean;
}

/** What a first line says; `null` if it is none of Bugsnag's. */
function headOf(line: string): Head | null {
  if (NOTED.test(line)) return { kind: 'not_an_alert', error: '' };
  const kind = OVER.test(line.split(':', 1)[0] ?? '') ? 'resolved' : 'firing';
  const spike = SPIKE.exec(line)?.[1];
  if (spike !== undefined) return { kind, error: '', project: spike.trim(), spike: true };
  const [, trigger = '', stage, project, , ...tails] = PLACED.exec(line) ?? [];
  if (TRIGGER.test(trigger) || isErrorType(trigger))
    return { kind, error: errorOf(trigger, tails.join('')), stage, project, level: levelIn(trigger) };
  const [, bracket, what = '', where, tail = ''] = BRACKETED.exec(line) ?? [];
  if (TRIGGER.test(what) || isErrorType(what))
    return { kind, error: errorOf(what, tail), stage: where, project: bracket, level: levelIn(what) };
  const [, name = '', context = ''] = CONTEXT.exec(line) ?? [];
  if (isErrorType(name)) return { kind, error: name, stage: STAGE.exec(context)?.[1] };
  const thrown = errorInSentence(line);
  if (thrown.errorType === null) return null;
  const error = [thrown.errorType, thrown.errorMessage].filter(Boolean).join(': ');
  return {
    kind,
    error: error,
    project: /^\[([^\]\n]{1,120})\]/u.exec(line)?.[1],
    stage: AMONG.exec(line)?.[1],
  };
}

const AMONG = /(?<![\w.-])(production|prod|staging|development|test|qa|beta)(?![\w-])/iu;
const STAGE = /^(production|prod|staging|development|test|qa|beta)\b/iu;

function errorOf(trigger: string, tail: string): string {
  return isErrorType(trigger) ? [trigger, tail].filter((part) => part.trim() !== '').join(': ') : tail.trim();
}

function levelIn(trigger: string): string | undefined {
  return /\b(?:warning|info)\b/iu.exec(trigger)?.[0];
}

/** The class of the first line goes with the message of the next. */
function thrownOf({ error }: Head, below: string | undefined, code: string | null): ErrorDetails {
  if (error === '') return errorIn(below ?? code ?? '');
  const { errorType, errorMessage } = errorIn(error);
  return { errorType, errorMessage: errorMessage ?? toErrorMessage(below ?? code ?? null) };
}
