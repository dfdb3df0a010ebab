import { Fragment } from 'react';
import type { PageMessage } from '../../page-api.ts';
import { type Row, rowsOf } from '../model/rows.ts';
import { dayName } from '../model/times.ts';
import { useDesk } from './desk.ts';
import { MessageRow } from './message-row.tsx';
import { useNewestInView } from './use-newest-in-view.ts';

interface Props {
  label: string;
  messages: readonly PageMessage[] | null;
  /** The thread that is open beside the list, marked in it. */
  openThread: string | null;
  place: 'channel' | 'thread';
}

/** Messages, oldest first, kept scrolled to the newest while the reader is there. */
export function MessageList({ label, messages, openThread, place }: Props) {
  const { as } = useDesk();
  const { list, isBehind, toNewest } = useNewestInView(messages?.length ?? 0);
  const rows = messages === null ? null : rowsOf(messages, as);
  const replies = (messages?.length ?? 0) - 1;
  return (
    <div className="list-frame">
      <div className="list" role="log" aria-label={label} aria-live="polite" ref={list}>
        <div className="list-inner">
          {rows === null && <p className="empty">Loading…</p>}
          {rows?.length === 0 && <p className="empty">Nothing here yet.</p>}
          {rows?.map((row, index) => (
            <Fragment key={row.key}>
              <ListRow row={row} openThread={openThread} place={place} />
              {place === 'thread' && index === 1 && replies > 0 && (
                <p className="reply-divider">{replies === 1 ? '1 reply' : `${replies} replies`}</p>
              )}
            </Fragment>
          ))}
        </div>
      </div>
      {isBehind && (
        <button type="button" className="to-newest" onClick={toNewest}>
          New messages ↓
        </button>
      )}
    </div>
  );
}

function ListRow({ row, openThread, place }: { row: Row; openThread: string | null; place: Props['place'] }) {
  if (row.kind === 'message') {
    const isOpen = row.message.ts === openThread;
    return <MessageRow message={row.message} follows={row.follows} isOpen={isOpen} place={place} />;
  }
  if (place === 'thread') return null;
  return (
    <p className="day">
      <span>{dayName(row.at, Date.now())}</span>
    </p>
  );
}
