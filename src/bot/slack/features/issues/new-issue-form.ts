import { z } from 'zod';
import { oneLine } from '../../../../lib/text.ts';
import type { IssueDraft } from '../../../filing/request.ts';
import {
  environmentOfOption,
  type NewIssueForm,
  type NewIssueText,
  newIssueTexts,
} from '../../../render/issues/new-issue.ts';

const EARLIEST = Date.UTC(2000, 0, 1);
/** Tolerated clock skew. */
const AHEAD_MS = 5 * 60_000;
const MAX_SHOWN = 60;

const Field = z.looseObject({
  value: z.string().nullish(),
  selected_option: z.looseObject({ value: z.string() }).nullish(),
  selected_date_time: z.number().nullish(),
  selected_conversation: z.string().nullish(),
});
/** `view.state.values`: each field is the only element of its block. */
const Values = z.record(z.string(), z.record(z.string(), Field));

const Severity = z.enum(['low', 'medium', 'high']);

/** Reads what was typed so far from `view.state.values`. */
export function readNewIssue(values: unknown): NewIssueForm {
  const blocks = Values.parse(values);
  const at = (name: string) => Object.values(blocks[name] ?? {})[0];
  const names = Object.keys(newIssueTexts).filter(isText);
  const severity = Severity.safeParse(at('severity')?.selected_option?.value);
  return {
    texts: Object.fromEntries(names.map((name) => [name, at(name)?.value ?? ''])),
    severity: severity.success ? severity.data : 'medium',
    environment: environmentOfOption(at('environment')?.selected_option?.value ?? ''),
    triggeredAt: at('triggeredAt')?.selected_date_time ?? null,
    channel: at('channel')?.selected_conversation ?? null,
  };
}

function isText(name: string): name is NewIssueText {
  return Object.hasOwn(newIssueTexts, name);
}

/** Error messages by field, for the acknowledgement. */
type FieldErrors = Record<string, string>;

/** The issue that a form describes, or its errors (bounds: contract 2.5). */
export function draftOf(form: NewIssueForm, now: number): { draft: IssueDraft } | { errors: FieldErrors } {
  const errors: FieldErrors = {};
  const text = (name: NewIssueText) => form.texts[name]?.trim() ?? '';
  const required = (name: NewIssueText, missing: string) => {
    if (text(name) === '') errors[name] = missing;
    return text(name);
  };
  const title = required('title', 'Say what is wrong in a few words.');
  const description = required('description', 'Describe it. A copy of the title will do.');
  const environment =
    form.environment ?? required('otherEnvironment', 'Name the environment, for example production.');
  for (const [name, { label, max }] of Object.entries(newIssueTexts)) {
    if (isText(name) && text(name).length > max) errors[name] = `${label}: at most ${max} characters.`;
  }
  const at = form.triggeredAt === null ? null : form.triggeredAt * 1000;
  if (at !== null && at > now + AHEAD_MS)
    errors.triggeredAt = 'That is in the future. Choose when it started.';
  if (at !== null && at < EARLIEST) errors.triggeredAt = 'Choose a time after the year 2000.';
  const facts = factsIn(text('metadata'));
  if ('problem' in facts) errors.metadata = facts.problem;
  if (Object.keys(errors).length > 0 || 'problem' in facts) return { errors };
  const tags = text('tags').split(/[,\n]/u).map(oneLine).filter(Boolean);
  return {
    draft: {
      title,
      description,
      environment: oneLine(environment),
      severity: form.severity,
      triggeredAt: at,
      context: {
        alertUrl: text('alertUrl'),
        service: text('service'),
        traceId: text('traceId'),
        spanId: text('spanId'),
        errorType: text('errorType'),
        errorMessage: text('errorMessage'),
        host: text('host'),
        region: text('region'),
        version: text('version'),
      },
      tags: [...new Set(tags)],
      metadata: facts.facts,
    },
  };
}

/** `key: value` lines; `key=value` works too. */
function factsIn(text: string): { facts: Record<string, string> } | { problem: string } {
  const facts = new Map<string, string>();
  for (const line of text.split('\n').filter((one) => one.trim() !== '')) {
    const [, key = '', value = ''] = /^([^:=]+)[:=](.*)$/u.exec(line) ?? [];
    const name = key.trim();
    const shown = oneLine(line).slice(0, MAX_SHOWN);
    if (name === '' || value.trim() === '') return { problem: `Use key: value, not “${shown}”.` };
    if (facts.has(name)) return { problem: `“${name.slice(0, MAX_SHOWN)}” appears twice.` };
    facts.set(name, value.trim());
  }
  return { facts: Object.fromEntries(facts) };
}
