import type { InputBlock, KnownBlock, ModalView } from '@slack/types';
import type { Severity } from '../../alerts/types.ts';
import { literal } from '../escape.ts';
import { type IssueReference, issueLine } from '../issues/issue-reference.ts';
import { fitModal } from '../modal.ts';
import { context, inSections, section } from '../rendered.ts';
import { viewIds } from '../view-ids.ts';
import { SIMULATED } from '../words.ts';

/** The fields of the form by their `block_id`; each input's `action_id` is `value`. */
export const investigateFields = {
  title: { label: 'What is wrong', max: 500 },
  description: { label: 'Description', max: 3000 },
  environment: { label: 'Environment', max: 200 },
  service: { label: 'Service', max: 200 },
  alertUrl: { label: 'Link to the alert', max: 2000 },
  host: { label: 'Host', max: 500 },
  errorMessage: { label: 'Error message', max: 3000 },
} as const;

export type InvestigateField = keyof typeof investigateFields;

export const investigateNames: readonly InvestigateField[] = [
  'title',
  'description',
  'environment',
  'service',
  'alertUrl',
  'host',
  'errorMessage',
];

/** The form's initial values. All texts are untrusted; those too long for their field are cut at a word. */
export interface InvestigateForm {
  fields: Record<InvestigateField, string>;
  severity: Severity;
  /** A closed issue that the message had before. */
  before: IssueReference | null;
  /** State for the submission, about the message. */
  remember: string;
  simulated: boolean;
}

const TITLE = 'Investigate this';
const SEVERITIES: Record<Severity, string> = { high: 'High', medium: 'Medium', low: 'Low' };

/** The form of *Investigate this*: every field of the create request that a person may want to change. */
export function investigateForm({
  fields,
  severity,
  before,
  remember,
  simulated,
}: InvestigateForm): ModalView {
  const input = (name: InvestigateField, more: { required?: boolean; lines?: boolean } = {}): InputBlock => ({
    type: 'input',
    block_id: name,
    label: { type: 'plain_text', text: investigateFields[name].label },
    optional: more.required !== true,
    element: {
      type: 'plain_text_input',
      action_id: 'value',
      multiline: more.lines === true,
      max_length: investigateFields[name].max,
      initial_value: fields[name],
    },
  });
  const blocks: KnownBlock[] = [
    ...(simulated ? [context(SIMULATED)] : []),
    ...(before === null ? [] : [section(`Filed before: ${issueLine(before)}. This files a new issue.`)]),
    input('title', { required: true }),
    input('description', { required: true, lines: true }),
    severityInput(severity),
    input('environment', { required: true }),
    input('service'),
    input('alertUrl'),
    input('host'),
    input('errorMessage', { lines: true }),
  ];
  return fitModal({
    callbackId: viewIds.investigateThis,
    title: TITLE,
    submit: 'Investigate',
    privateMetadata: remember,
    blocks,
  });
}

function severityInput(severity: Severity): InputBlock {
  const option = (value: Severity) => ({
    text: { type: 'plain_text', text: SEVERITIES[value] } as const,
    value,
  });
  return {
    type: 'input',
    block_id: 'severity',
    label: { type: 'plain_text', text: 'Severity' },
    element: {
      type: 'static_select',
      action_id: 'value',
      options: [option('high'), option('medium'), option('low')],
      initial_option: option(severity),
    },
  };
}

/** Shown instead of the form: the alert already has an open issue. `lost` is input that is discarded. */
export function hasItAlready(issue: IssueReference, counted: boolean, lost: string | null): ModalView {
  const blocks: KnownBlock[] = [
    section(`${issueLine(issue)}\nalready covers this, so nothing was filed twice.`),
    ...(counted ? [context('This message counts toward it.')] : []),
    ...(lost === null
      ? []
      : [
          section('Somebody beat you to it. Here is what you wrote, in case you want it in the thread:'),
          ...whole(lost),
        ]),
  ];
  return fitModal({ callbackId: viewIds.investigateThis, title: TITLE, blocks });
}

/** Untrusted text in as many sections as it takes. */
function whole(text: string): KnownBlock[] {
  // Escaped, a character may become five.
  const pieces = text.match(/[\s\S]{1,600}/gu) ?? [];
  return inSections(pieces.map(literal));
}

/** Where the window's own memory cannot be read (it is of another version, say). */
export function openItAgain(): ModalView {
  const blocks = [section('I lost track of which message this is about. Run the shortcut again.')];
  return fitModal({ callbackId: viewIds.investigateThis, title: TITLE, blocks });
}
