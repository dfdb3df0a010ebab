import type { InputBlock, ModalView } from '@slack/types';
import { actionIds } from '../action-ids.ts';
import { channelMention } from '../escape.ts';
import { checkbox, field, plain, radio, select, wholeNumber } from '../inputs.ts';
import { limits } from '../limits.ts';
import { fitModal } from '../modal.ts';
import { context, section, verbatimContext } from '../rendered.ts';
import { viewIds } from '../view-ids.ts';
import { type SenderView, senderBlocks } from './senders.ts';

/** The settings as a person has typed or chosen them; each key is the `block_id` of its field. */
export interface SettingsForm {
  mode: 'automatic' | 'suggest';
  people: boolean;
  /** One pattern a line. */
  include: string;
  exclude: string;
  minimumSeverity: Severity;
  /** Empty for the default. */
  environment: string;
  defaultSeverity: Severity;
  onRecovery: 'note' | 'resolve';
  budgetIssues: string;
  budgetMinutes: string;
  coolDownMinutes: string;
  recoveryMinutes: string;
  broadcast: boolean;
  /** Absent where tickets are made on request only. */
  tickets?: boolean;
}
type Severity = 'low' | 'medium' | 'high';

/** The numbers that each field takes; those of `ChannelSettings`. */
export const settingsBounds = {
  budgetIssues: { min: 1, max: 1_000 },
  budgetMinutes: { min: 1, max: 1_440 },
  coolDownMinutes: { min: 0, max: 10_080 },
  recoveryMinutes: { min: 0, max: 1_440 },
} as const;

export interface SettingsModal {
  channel: string;
  watched: boolean;
  form: SettingsForm;
  /** Below the two fields of patterns, for their present text: what is wrong, or what they match. Plain text, untrusted. */
  notes: { include: readonly string[]; exclude: readonly string[] };
  defaultEnvironment: string;
  /** Who posts in the channel in a form that no format knows; `null` while they are not known yet. */
  senders?: readonly SenderView[] | null;
  /** State for the submission. */
  metadata: string;
}

const READING = 'Reading how tools write in this channel …';
const MODES = { automatic: 'File automatically', suggest: 'Suggest: a “File it” button on each' };
const SEVERITIES = { low: 'Low', medium: 'Medium', high: 'High' };
const RECOVERY = { note: 'Note it on the card', resolve: 'Resolve the issue' };
const PATTERN_HINT =
  'One per line: plain text or a /regular expression/, case-insensitive. Matched against the alert’s text, its sender and the tool’s name.';
const BUDGET_HINT = 'Alerts beyond this are put on hold under one message, where you decide about them.';
const COOL_DOWN_HINT =
  'An alert that fires again this soon after its issue was resolved reopens that issue. An alert that recovers and fires a third time within it is flapping: it is counted, and not investigated again.';
const RECOVERY_HINT =
  'An alert that fires again sooner after its recovery is counted, and not investigated again.';

export function settingsModal(modal: SettingsModal): ModalView {
  const { form, notes, watched } = modal;
  const where = channelMention(modal.channel);
  return fitModal({
    callbackId: viewIds.settings,
    title: watched ? 'Settings' : 'Watch this channel',
    submit: watched ? 'Save' : 'Watch',
    privateMetadata: modal.metadata,
    blocks: [
      section(
        watched
          ? `How alerts in ${where} are filed. Changes are announced there with your name.`
          : `File and investigate new alerts in ${where}. This is announced there with your name.`,
      ),
      ...(modal.senders === null ? [context(READING)] : senderBlocks(modal.senders ?? [])),
      radio({ name: 'mode', label: 'New alerts' }, form.mode, MODES),
      checkbox(
        { name: 'people', label: 'People’s reports' },
        form.people,
        'File people’s reports like alerts',
      ),
      patterns('include', 'Only file alerts matching', form.include),
      verbatimContext(notes.include.join('\n')),
      patterns('exclude', 'Never file alerts matching', form.exclude),
      verbatimContext(notes.exclude.join('\n')),
      select(
        { name: 'minimumSeverity', label: 'Minimum severity', hint: 'Less severe alerts are not filed.' },
        form.minimumSeverity,
        SEVERITIES,
      ),
      environment(form.environment, modal.defaultEnvironment),
      select(
        { name: 'defaultSeverity', label: 'Default severity', hint: 'For alerts that give none.' },
        form.defaultSeverity,
        SEVERITIES,
      ),
      radio({ name: 'onRecovery', label: 'When an alert recovers' }, form.onRecovery, RECOVERY),
      number('budgetIssues', 'Budget: new issues', form, BUDGET_HINT),
      number('budgetMinutes', 'Budget: per how many minutes', form),
      number('coolDownMinutes', 'Cool-down (minutes)', form, COOL_DOWN_HINT),
      number('recoveryMinutes', 'A recovery has to hold (minutes)', form, RECOVERY_HINT),
      checkbox({ name: 'broadcast', label: 'Results' }, form.broadcast, 'Also post them in the channel'),
      ...(form.tickets === undefined ? [] : [ticketRule(form.tickets)]),
    ],
  });
}

function ticketRule(isOn: boolean): InputBlock {
  const text = 'Create one for each high-severity issue that is unresolved after an hour';
  return checkbox({ name: 'tickets', label: 'Tickets' }, isOn, text);
}

function patterns(name: 'include' | 'exclude', label: string, value: string): InputBlock {
  const input = field(
    { name, label, hint: PATTERN_HINT },
    {
      type: 'plain_text_input',
      action_id: actionIds.typePatterns,
      multiline: true,
      initial_value: value,
      max_length: limits.inputValue,
      dispatch_action_config: { trigger_actions_on: ['on_character_entered'] },
    },
    true,
  );
  return { ...input, dispatch_action: true };
}

function environment(value: string, fallback: string): InputBlock {
  return field(
    {
      name: 'environment',
      label: 'Environment',
      hint: `For alerts that give none. Leave empty for the default, ${fallback}.`,
    },
    {
      type: 'plain_text_input',
      action_id: 'environment',
      initial_value: value,
      max_length: 100,
      placeholder: plain(fallback),
    },
    true,
  );
}

function number(
  name: keyof typeof settingsBounds,
  label: string,
  form: SettingsForm,
  hint?: string,
): InputBlock {
  return wholeNumber(
    { name, label, ...(hint === undefined ? {} : { hint }) },
    form[name],
    settingsBounds[name],
  );
}
