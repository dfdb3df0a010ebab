import type { PageMessage } from '../../page-api.ts';
import { excerptOf } from '../model/excerpt.ts';
import { useDesk } from './desk.ts';

interface Props {
  message: PageMessage;
  /** The thread's root, where it is among the messages shown. */
  root: PageMessage | undefined;
  place: 'channel' | 'thread';
}

/** Of a reply that was sent to the channel too: to which thread it belongs, or that it was. */
export function BroadcastLine({ message, root, place }: Props) {
  const { openThread } = useDesk();
  if (message.subtype !== 'thread_broadcast') return null;
  if (place === 'thread') return <p className="broadcast">Also sent to the channel</p>;
  return (
    <p className="broadcast">
      <span>replied to a thread:</span>
      <button type="button" className="plain link" onClick={() => openThread(message)}>
        {root === undefined ? 'View thread' : excerptOf(root)}
      </button>
    </p>
  );
}
