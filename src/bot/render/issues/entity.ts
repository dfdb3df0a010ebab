import type { EntityActionButton, EntityCustomField, EntityMetadata } from '@slack/types';
import { cutAtWord, oneLine } from '../../../lib/text.ts';
import { actionIds } from '../action-ids.ts';
import { clean, label } from '../escape.ts';
import { limits } from '../limits.ts';
import { safeUrl } from '../links.ts';
import type { CardView } from '../views.ts';
import { SIMULATED, severityWords, statusWords } from '../words.ts';
import { titleOf } from './card.ts';
import { short } from './card-lines.ts';

/** The parts of a Work Object that never change. */
export interface EntityAbout {
  /** The issue's id at the service. */
  uuid: string;
  /** A permalink to the issue's thread. */
  url: string;
  /** Milliseconds since the epoch. */
  createdAt: number;
}

const MAX_TITLE = 200;
const MAX_LONG = 1_500;
const STATUS_COLORS: Readonly<Record<string, string>> = {
  investigating: 'yellow',
  ready_to_fix: 'blue',
  resolved: 'green',
  muted: 'gray',
  failed: 'red',
};
const SEVERITY_COLORS: Readonly<Record<string, string>> = { high: 'red', medium: 'yellow', low: 'gray' };
/** Statuses in which an issue can be neither resolved nor muted. */
const CLOSED: ReadonlySet<string> = new Set(['resolved', 'failed', 'filing', 'deleted']);

/** An issue as Slack's entity `incident`. Everybody who can read the card's channel sees it. */
export function issueEntity(view: CardView, { uuid, url, createdAt }: EntityAbout): EntityMetadata {
  const changedAt = Math.max(createdAt, ...momentsOf(view));
  const service = words(view.service ?? '');
  return {
    entity_type: 'slack#/entities/incident',
    url,
    external_ref: { id: uuid },
    entity_payload: {
      attributes: {
        title: { text: words(cutAtWord(titleOf({ ...view, number: null }), MAX_TITLE)) },
        display_type: view.simulated ? `Issue (${SIMULATED.toLowerCase()})` : 'Issue',
        ...(view.number === null ? {} : { display_id: `#${view.number}` }),
        product_name: 'Gumshoe',
        metadata_last_modified: seconds(changedAt),
      },
      fields: {
        status: { value: unsigned(statusWords(short(view.status))), ...colored(STATUS_COLORS, view.status) },
        ...(service === '' ? {} : { service: { value: service } }),
        date_created: { value: seconds(createdAt) },
        date_updated: { value: seconds(changedAt) },
      },
      // Slack's documents name a field `severity`; its type declarations do not.
      custom_fields: [
        custom(
          'severity',
          'Severity',
          unsigned(severityWords(short(view.severity))),
          colored(SEVERITY_COLORS, view.severity),
        ),
        ...optional('environment', 'Environment', view.environment),
      ],
      display_order: ['status', 'severity', 'service', 'environment', 'date_created', 'date_updated'],
      actions: { primary_actions: actionsFor(view) },
    },
  };
}

/** The entity for the flexpane, which one person sees: it adds what the investigation found. */
export function issueDetails(view: CardView, about: EntityAbout, rootCause: string | null): EntityMetadata {
  const entity = issueEntity(view, about);
  const { custom_fields: fields = [], display_order: order = [] } = entity.entity_payload;
  const more = [
    ...(rootCause === null ? [] : long('root_cause', 'Root cause', rootCause)),
    ...(view.failure === null ? [] : long('failure', 'What went wrong', view.failure)),
    ...(view.repeats > 0 ? [custom('repeats', 'Fired again', `${view.repeats} times`)] : []),
    ...(view.note === null ? [] : optional('note', 'The tool says', view.note.text)),
    ...alertLink(view),
  ];
  return {
    ...entity,
    entity_payload: {
      ...entity.entity_payload,
      custom_fields: [...fields, ...more],
      display_order: [...order, ...more.map(({ key }) => key)],
    },
  };
}

/** The times of everything that the card shows. */
function momentsOf(view: CardView): number[] {
  const { statusSince, lastRepeatAt, recoveredAt, lastAction, note } = view;
  const moments = [statusSince, lastRepeatAt, recoveredAt, lastAction?.at ?? null, note?.at ?? null];
  // A stored time may be corrupt.
  return moments.filter((at) => at !== null).filter(Number.isSafeInteger);
}

function actionsFor({ status, issueId, relations }: CardView): EntityActionButton[] {
  if (CLOSED.has(status) || relations.attachedTo !== null) return [];
  if (issueId === '' || issueId.length > limits.buttonValue) return [];
  const resolve = { text: 'Resolve', action_id: actionIds.resolve, value: issueId, style: 'primary' };
  const mute = { text: 'Mute', action_id: actionIds.mute, value: issueId };
  return status === 'muted' ? [resolve] : [resolve, mute];
}

function colored(colors: Readonly<Record<string, string>>, name: string): { tag_color?: string } {
  const color = Object.hasOwn(colors, name) ? colors[name] : undefined;
  return color === undefined ? {} : { tag_color: color };
}

function custom(
  key: string,
  name: string,
  value: string,
  more: Partial<EntityCustomField> = {},
): EntityCustomField {
  return { key, label: name, type: 'string', value: words(value), ...more };
}

function optional(key: string, name: string, value: string): EntityCustomField[] {
  return words(value) === '' ? [] : [custom(key, name, value)];
}

function long(key: string, name: string, text: string): EntityCustomField[] {
  const value = label(cutAtWord(clean(text).trim(), MAX_LONG));
  return value === '' ? [] : [{ key, label: name, type: 'string', value, long: true }];
}

function alertLink({ alertUrl }: CardView): EntityCustomField[] {
  const href = alertUrl === null ? null : safeUrl(alertUrl);
  return href === null ? [] : [custom('alert', 'Alert', 'Open the alert', { link: href })];
}

/** Drops the emoji before a status or a severity, because the field has a colour instead. */
function unsigned(text: string): string {
  return words(text.replace(/^\p{Extended_Pictographic}\ufe0f?\s+/u, ''));
}

/** Text on one line. Entities are plain text, so nothing is escaped. */
function words(text: string): string {
  return label(short(oneLine(clean(text))));
}

function seconds(ms: number): number {
  return Math.floor(ms / 1_000);
}
