import type { ViewSubmitAction } from '@slack/bolt';
import { z } from 'zod';
import { cutAtWord } from '../../../../lib/text.ts';
import type { ChannelMessage } from '../../../filing/channel-message.ts';
import { fileOnRequest, type IssueEdit } from '../../../filing/on-request.ts';
import {
  hasItAlready,
  type InvestigateField,
  investigateFields,
  investigateNames,
  openItAgain,
} from '../../../render/alerts/investigate-this.ts';
import { notAllowed, notThere } from '../../../render/notices.ts';
import { viewIds } from '../../../render/view-ids.ts';
import { presenceOf } from '../../access/presence.ts';
import type { Register } from '../../listening/deps.ts';
import { refusedAtLimit } from '../../listening/tell.ts';
import { issueReference } from '../issues/issue-reference.ts';
import { recall } from '../issues/remembered.ts';

const Severity = z.enum(['low', 'medium', 'high']);
const Typed = z.record(
  z.string(),
  z.object({
    value: z.object({
      value: z.string().nullish(),
      selected_option: z.object({ value: z.string() }).nullish(),
    }),
  }),
);

/** Required by the contract (2.5). */
const REQUIRED: Partial<Record<InvestigateField, string>> = {
  title: 'Say what is wrong in a few words.',
  description: 'Describe it. A copy of the title will do.',
  environment: 'Name the environment, for example production.',
};

/** *Investigate this* was submitted: files the message with the fields as edited. */
export const investigateThis: Register = (app, deps) => {
  app.view<ViewSubmitAction>(
    { type: 'view_submission', callback_id: viewIds.investigateThis },
    async ({ ack, body, view }) => {
      const refusal = await deps.people.refusal(body.user.id);
      if (refusal) return ack({ response_action: 'errors', errors: { title: notAllowed(refusal).text } });
      const typed = read(view.state.values);
      if (!typed.ok) return ack({ response_action: 'errors', errors: typed.errors });
      const seen = await recall(view.private_metadata, deps);
      if (seen === null) return ack({ response_action: 'update', view: openItAgain() });
      // The shortcut also works in channels that the bot is not in.
      if ((await presenceOf(body.user.id, seen.channel, deps)) === 'elsewhere') {
        return ack({ response_action: 'errors', errors: { title: notThere().text } });
      }
      const edit = whole(typed.edit, seen);
      const requested = await fileOnRequest(seen, body.user.id, deps, edit);
      if (requested.became === 'refused') {
        const { text } = refusedAtLimit(requested.limit, deps);
        return ack({ response_action: 'errors', errors: { title: text } });
      }
      const { issueId, became } = requested;
      const issue = became === 'filed' ? null : await deps.store.issues.get(issueId);
      // The same person submitted twice (the acknowledgement was lost): they have what they wanted.
      const isTheirs = became === 'already' && issue?.requestedBy === body.user.id;
      if (issue === null || isTheirs) return ack();
      const reference = await issueReference(issue, seen.channel, deps);
      const update = hasItAlready(reference, became === 'counted', typed.edit.description);
      await ack({ response_action: 'update', view: update });
    },
  );
};

type Read = { ok: true; edit: IssueEdit } | { ok: false; errors: Record<string, string> };

function read(values: unknown): Read {
  const typed = Typed.parse(values);
  const at = (name: InvestigateField) => typed[name]?.value.value?.trim() ?? '';
  const errors: Record<string, string> = {};
  for (const name of investigateNames) {
    const { max, label } = investigateFields[name];
    const missing = at(name) === '' ? REQUIRED[name] : undefined;
    if (missing !== undefined) errors[name] = missing;
    if (at(name).length > max) errors[name] = `${label}: at most ${max} characters.`;
  }
  const severity = Severity.safeParse(typed.severity?.value.selected_option?.value);
  if (!severity.success) errors.severity = 'Choose one of the three.';
  if (!severity.success || Object.keys(errors).length > 0) return { ok: false, errors };
  const edit = {
    title: at('title'),
    description: at('description'),
    severity: severity.data,
    environment: at('environment'),
    service: at('service') || null,
    alertUrl: at('alertUrl') || null,
    host: at('host') || null,
    errorMessage: at('errorMessage') || null,
  };
  return { ok: true, edit };
}

/** A field that was shortened to fit the form, and that nobody edited, is filed in full. */
function whole(edit: IssueEdit, { alert }: ChannelMessage): IssueEdit {
  const kept = (name: 'description' | 'errorMessage') => {
    const shown = cutAtWord(alert[name] ?? '', investigateFields[name].max).trim();
    return edit[name] === shown && alert[name] !== null ? alert[name] : edit[name];
  };
  return {
    ...edit,
    description: kept('description') ?? edit.description,
    errorMessage: kept('errorMessage'),
  };
}
