import type { InputBlock, KnownBlock, ModalView } from '@slack/types';
import type { Severity } from '../../alerts/types.ts';
import { actionIds } from '../action-ids.ts';
import { field, plain, select } from '../inputs.ts';
import { fitModal } from '../modal.ts';
import { actions, button, context } from '../rendered.ts';
import { viewIds } from '../view-ids.ts';
import { SIMULATED } from '../words.ts';

/** The texts of the form by their `block_id` (contract 2.5), and how long each may be: Slack's bound, or the contract's. */
export const newIssueTexts = {
  title: { label: 'What is wrong', max: 500 },
  description: { label: 'Description', max: 3000, lines: true },
  otherEnvironment: { label: 'Environment name', max: 200 },
  service: { label: 'Service', max: 200 },
  alertUrl: { label: 'Link to the alert', max: 2000 },
  host: { label: 'Host', max: 500 },
  region: { label: 'Region', max: 200 },
  version: { label: 'Version', max: 200 },
  errorType: { label: 'Error type', max: 500 },
  errorMessage: { label: 'Error message', max: 3000, lines: true },
  traceId: { label: 'Trace id', max: 200 },
  spanId: { label: 'Span id', max: 200 },
  tags: { label: 'Tags', max: 3000, hint: 'Comma-separated.' },
  metadata: { label: 'More details', max: 3000, lines: true, hint: 'One per line, as key: value.' },
} as const satisfies Record<string, { label: string; max: number; lines?: true; hint?: string }>;

export type NewIssueText = keyof typeof newIssueTexts;

const BEHIND_MORE = [
  'alertUrl',
  'host',
  'region',
  'version',
  'errorType',
  'errorMessage',
  'traceId',
  'spanId',
  'tags',
  'metadata',
] as const satisfies readonly NewIssueText[];

/** The input so far; texts are untrusted. */
export interface NewIssueForm {
  texts: Partial<Record<NewIssueText, string>>;
  severity: Severity;
  /** The chosen one; `null` for *Another…*. */
  environment: string | null;
  /** Seconds since the epoch; `null` for now. */
  triggeredAt: number | null;
  /** `null` for none chosen. */
  channel: string | null;
}

export interface NewIssueModal {
  form: NewIssueForm;
  /** Environments used before, the newest first. */
  environments: readonly string[];
  /** Whether *More context* has been pressed. */
  unfolded: boolean;
  /** Whether it was opened by a command in a channel; otherwise the card may be sent as a direct message. */
  hasPlace: boolean;
  /** State for the submission. */
  metadata: string;
  simulated: boolean;
}

/** The value of *Another…*; environments have values with another prefix. */
const ANOTHER = 'another';
const NAMED = 'env:';
/** Slack's limit for an option's value, less the prefix. */
const MAX_NAME = 70;
const MAX_OFFERED = 50;

/** Every field of the create request (contract 2.5); *More context* shows the rarely used ones. */
export function newIssueModal(modal: NewIssueModal): ModalView {
  const { form, unfolded } = modal;
  const text = (name: NewIssueText, required = false) => textInput(name, form.texts[name] ?? '', required);
  const blocks: KnownBlock[] = [
    ...(modal.simulated ? [context(SIMULATED)] : []),
    text('title', true),
    text('description'),
    environmentInput(form.environment, modal.environments),
    ...(form.environment === null ? [text('otherEnvironment', true)] : []),
    select({ name: 'severity', label: 'Severity' }, form.severity, {
      high: 'High',
      medium: 'Medium',
      low: 'Low',
    }),
    text('service'),
    timeInput(form.triggeredAt),
    channelInput(form.channel, modal.hasPlace),
    ...(unfolded
      ? BEHIND_MORE.map((name) => text(name))
      : [{ ...actions([button('More context', actionIds.moreContext, 'more')]), block_id: 'more' }]),
  ];
  return fitModal({
    callbackId: viewIds.newIssue,
    title: 'New issue',
    submit: 'Investigate',
    privateMetadata: modal.metadata,
    blocks,
  });
}

/** The environment that an option's value names; `null` for *Another…*. */
export function environmentOfOption(value: string): string | null {
  return value.startsWith(NAMED) ? value.slice(NAMED.length) : null;
}

function textInput(name: NewIssueText, value: string, required: boolean): InputBlock {
  const { label, max, ...more } = newIssueTexts[name];
  return field(
    { name, label, ...('hint' in more ? { hint: more.hint } : {}) },
    {
      type: 'plain_text_input',
      action_id: name,
      multiline: 'lines' in more,
      max_length: max,
      initial_value: value,
    },
    !required,
  );
}

function environmentInput(chosen: string | null, used: readonly string[]): InputBlock {
  const names = [...new Set([...(chosen === null ? [] : [chosen]), ...used])].filter(
    (name) => name.trim() !== '' && name.isWellFormed() && name.length <= MAX_NAME,
  );
  const options = [
    ...names.slice(0, MAX_OFFERED).map((name) => ({ text: plain(name), value: `${NAMED}${name}` })),
    { text: plain('Other…'), value: ANOTHER },
  ];
  const initial = options.find(({ value }) => value === (chosen === null ? ANOTHER : `${NAMED}${chosen}`));
  const input = field(
    { name: 'environment', label: 'Environment' },
    {
      type: 'static_select',
      action_id: actionIds.chooseEnvironment,
      options,
      ...(initial ? { initial_option: initial } : {}),
    },
  );
  return { ...input, dispatch_action: true };
}

function timeInput(chosen: number | null): InputBlock {
  return field(
    { name: 'triggeredAt', label: 'Started', hint: 'Leave empty if it started just now.' },
    {
      type: 'datetimepicker',
      action_id: 'triggeredAt',
      ...(chosen === null ? {} : { initial_date_time: chosen }),
    },
    true,
  );
}

function channelInput(chosen: string | null, hasPlace: boolean): InputBlock {
  return field(
    {
      name: 'channel',
      label: 'Post the card in',
      hint: hasPlace
        ? 'Leave empty for the channel you ran the command in.'
        : 'Leave empty for a direct message to you.',
    },
    {
      type: 'conversations_select',
      action_id: 'channel',
      filter: { include: ['public', 'private'], exclude_bot_users: true },
      ...(chosen === null ? {} : { initial_conversation: chosen }),
      ...(chosen === null && !hasPlace ? { default_to_current_conversation: true } : {}),
    },
    true,
  );
}
