import type { ModalView } from '@slack/types';
import { actionIds } from '../action-ids.ts';
import { date } from '../dates.ts';
import { channelMention } from '../escape.ts';
import { notice } from '../fit.ts';
import { field, plain, radio } from '../inputs.ts';
import { fitModal } from '../modal.ts';
import { actions, button, context, type Rendered, section } from '../rendered.ts';
import { viewIds } from '../view-ids.ts';

/** When a digest comes, as a person has chosen it; each key is the `block_id` of its field. */
export interface DigestForm {
  /** `1` to `7` for Monday to Sunday; empty for none. */
  days: string;
  /** `HH:MM`. */
  time: string;
  zone: string;
  /** Whether it says once a week which alerts nobody needed. */
  hygiene: boolean;
}

export interface DigestModal {
  channel: string;
  form: DigestForm;
  /** The reader's time zone, and the digest's if it differs. */
  zones: { own: string; set: string | null };
  /** When the next one comes (milliseconds); `null` if none is set. */
  nextAt: number | null;
  /** One was asked for in this window. */
  sent: boolean;
  /** State for the submission. */
  metadata: string;
}

const DAYS = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday'];

export function digestModal(modal: DigestModal): ModalView {
  const { channel, form, zones } = modal;
  const others = zones.set !== null && zones.set !== zones.own ? zones.set : null;
  const hint = others === null ? `Your time zone: ${zones.own}.` : 'In the time zone chosen below.';
  return fitModal({
    callbackId: viewIds.digest,
    title: 'Digest',
    submit: 'Save',
    privateMetadata: modal.metadata,
    blocks: [
      section(
        `Posts a summary of this channel’s issues in ${channelMention(channel)}: open, new, resolved, stuck, and the noisiest. Changes here are announced in the channel with your name.`,
      ),
      context(modal.nextAt === null ? 'No digest is scheduled.' : `Next one: ${date(modal.nextAt)}.`),
      days(form.days),
      field(
        { name: 'time', label: 'Time', hint },
        { type: 'timepicker', action_id: 'time', initial_time: form.time },
      ),
      ...(others === null
        ? []
        : [
            radio({ name: 'zone', label: 'Time zone' }, form.zone, {
              [others]: `${others} (current setting)`,
              [zones.own]: `${zones.own} (yours)`,
            }),
          ]),
      hygiene(form.hygiene),
      { ...actions([button('Send one now', actionIds.sendDigestNow, channel)]), block_id: 'now' },
      ...(modal.sent ? [context('✅ On its way to the channel.')] : []),
    ],
  });
}

function days(chosen: string) {
  const options = DAYS.map((name, index) => ({ text: plain(name), value: String(index + 1) }));
  const initial = options.filter(({ value }) => chosen.includes(value));
  return field(
    { name: 'days', label: 'Days', hint: 'Pick none to turn the digest off.' },
    {
      type: 'checkboxes',
      action_id: 'days',
      options,
      ...(initial.length > 0 ? { initial_options: initial } : {}),
    },
    true,
  );
}

function hygiene(isOn: boolean) {
  const option = { text: plain('Which alerts nobody needed, in the first digest of each week'), value: 'on' };
  return field(
    { name: 'hygiene', label: 'Alert hygiene' },
    {
      type: 'checkboxes',
      action_id: 'hygiene',
      options: [option],
      ...(isOn ? { initial_options: [option] } : {}),
    },
    true,
  );
}

/** One was asked for. */
export function digestIsSent(): Rendered {
  return notice('📊 The digest is on its way to this channel.');
}

export function digestIsOff(): Rendered {
  return notice('This channel has no digest. `/gumshoe digest` schedules one.');
}

/** `/gumshoe digest` with words that it does not know; `nearest` is one of those that it does. */
export function usageDigest(nearest: string | null): Rendered {
  const meant = nearest === null ? '' : `Did you mean \`/gumshoe digest ${nearest}\`? `;
  return notice(
    `${meant}\`/gumshoe digest\` schedules the digest, \`/gumshoe digest now\` sends one, \`/gumshoe digest off\` turns it off.`,
  );
}

export function usageHygiene(): Rendered {
  return notice('`/gumshoe hygiene` is about this channel, `/gumshoe hygiene #another` about another one.');
}

export function notReadable(): Rendered {
  return notice('I can’t show that channel here: I am not in it, or you are not.');
}
