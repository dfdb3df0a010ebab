import type { ModalView } from '@slack/types';
import { channelMention } from '../escape.ts';
import { fitModal } from '../modal.ts';
import { section } from '../rendered.ts';
import { viewIds } from '../view-ids.ts';

/** Asks before a channel is watched no longer. */
export function unwatchModal(channel: string): ModalView {
  return fitModal({
    callbackId: viewIds.unwatch,
    title: 'Stop watching?',
    submit: 'Stop watching',
    privateMetadata: channel,
    blocks: [
      section(
        [
          `New alerts in ${channelMention(channel)} will not be filed any more, and their recoveries not be noted.`,
          '• What has been filed goes on: results come, threads answer.',
          '• What is held can still be filed or dismissed.',
          '• The settings are kept. Once watched again, it starts from then; what came between stays unread.',
        ].join('\n'),
      ),
    ],
  });
}
