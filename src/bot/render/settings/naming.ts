import type { ModalView } from '@slack/types';
import { actionIds } from '../action-ids.ts';
import { date } from '../dates.ts';
import { channelMention, quoted, userMention } from '../escape.ts';
import { fitMessage, notice } from '../fit.ts';
import { fitModal } from '../modal.ts';
import { actions, button, type Rendered, section } from '../rendered.ts';
import { viewIds } from '../view-ids.ts';

/** In place of filing or watching: a private channel's members have to agree first. */
export function needsConsent(channel: string): Rendered {
  const text =
    `${channelMention(channel)} is private, and my answers in other places could name its issues. ` +
    'So I file nothing from here until one of its members agrees. ' +
    'To keep its issues apart instead, whoever operates me can set `ISSUE_SERVICE_PRIVATE_API_KEY`.';
  return fitMessage({
    text,
    blocks: [section(text), actions([button('Read what it means…', actionIds.openNaming, channel)])],
  });
}

const MAX_NAME = 100;

/** That a language model may see what comes from a channel, and where it is. */
export function modelMaySee({ name, host }: { name: string; host: string }): string {
  return `A language model (${short(name)} at ${short(host)}) may be asked about questions and issues from here. Secrets and personal data are masked first.`;
}

export function modelSeesNothing({ name, host }: { name: string; host: string }): string {
  return `The language model (${short(name)} at ${short(host)}) is shown nothing from here: this channel is private.`;
}

function short(text: string): string {
  return quoted(text, MAX_NAME);
}

/** That somebody has agreed, and how to take it back. */
export function isNamedElsewhere(channel: string, agreed: { by: string; at: number }): Rendered {
  return notice(namedWords(channel, agreed));
}

export function namedWords(channel: string, { by, at }: { by: string; at: number }): string {
  return `Issues of ${channelMention(channel)} may be named in answers elsewhere: ${userMention(by)} agreed to it ${date(at)}. \`/gumshoe unwatch\` takes it back.`;
}

/**
 * Asks a member of a private channel whether its issues may be named elsewhere.
 *
 * @param reach where else: in any answer, or (with a second API key) in other private channels alone
 * @param model the language model that may see them too; `null` if none may
 */
export function namingModal(
  channel: string,
  {
    reach,
    model,
    metadata,
  }: {
    reach: 'anywhere' | 'private';
    model: { name: string; host: string } | null;
    metadata: string;
  },
): ModalView {
  const where = reach === 'anywhere' ? 'other channels and direct messages' : 'other private channels';
  return fitModal({
    callbackId: viewIds.naming,
    title: 'Name issues elsewhere?',
    submit: 'I agree',
    privateMetadata: metadata,
    blocks: [
      section(
        [
          `${channelMention(channel)} is private. The agent that answers in ${where} knows the issues that are filed from here, so its answers there may name them.`,
          '• *What may be named:* numbers, titles, descriptions, status, causes and evidence of all issues of this channel, also to people who are not in it.',
          '• *What stays here:* its messages, cards and results. Commands and lists elsewhere show its issues no more than before.',
          ...(model === null ? [] : [`• *Where they go too:* ${modelMaySee(model)}`]),
          '• *On record:* your name and the time are kept in the audit log and announced in this channel.',
          '• *Taking it back:* `/gumshoe unwatch`. Nothing more is filed from then on; what was filed stays at the service until `/issue delete`.',
        ].join('\n'),
      ),
    ],
  });
}
