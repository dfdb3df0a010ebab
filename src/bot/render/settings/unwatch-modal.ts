import type { ModalView } from '@slack/types';
import { channelMention } from '../escape.ts';
import { fitModal } from '../modal.ts';
import { section } from '../rendered.ts';
import { viewIds } from '../view-ids.ts';

export function unwatchModal(channel: string): ModalView {
  return fitModal({
    callbackId: viewIds.unwatch,
    title: 'Stop watching?',
    submit: 'Stop watching',
    privateMetadata: channel,
    blocks: [
      section(
        [
          `New alerts in ${channelMention(channel)} will no longer be filed, and recoveries no longer noted.`,
          '• Existing issues carry on: results are posted and questions in threads are answered.',
          '• Alerts on hold can still be filed or dismissed.',
          '• Settings are kept. Watching again starts from that moment; anything posted in between is not read.',
        ].join('\n'),
      ),
    ],
  });
}
