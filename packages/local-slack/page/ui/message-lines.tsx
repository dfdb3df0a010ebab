import { useState } from 'react';
import type { PageMessage } from '../../src/page-api.ts';
import { excerptOf } from '../model/excerpt.ts';
import { millis } from '../model/rows.ts';
import { ago } from '../model/times.ts';
import { useDesk } from './desk.ts';
import { Icon } from './icons.tsx';
import { Dots } from './status-line.tsx';

/** `3 replies · last reply 2 minutes ago` under a root; nothing under other messages. */
export function ThreadLink({ message, onOpen }: { message: PageMessage; onOpen: () => void }) {
  const { reply_count: replies = 0, latest_reply: latest } = message;
  if (replies === 0) return null;
  return (
    <button type="button" className="thread-link" onClick={onOpen}>
      <b>{replies === 1 ? '1 reply' : `${replies} replies`}</b>
      {latest !== undefined && <span>last reply {ago(millis(latest), Date.now())}</span>}
    </button>
  );
}

interface Props {
  message: PageMessage;
  /** The thread's root, if it is among the messages shown. */
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

/** Under a message that still grows: that it does, and how to stop it. */
export function StreamLine({ message }: { message: PageMessage }) {
  const { stopStream } = useDesk();
  const [isBusy, setBusy] = useState(false);
  const stop = async () => {
    setBusy(true);
    await stopStream(message);
    setBusy(false);
  };
  return (
    <p className="stream-line">
      <Dots />
      <span>Writing</span>
      <button type="button" className="button" disabled={isBusy} onClick={() => void stop()}>
        <Icon name="stop" /> Stop writing
      </button>
    </p>
  );
}
