import { Fragment, type ReactNode, useEffect, useState } from 'react';
import type { PageMessage } from '../../src/page-api.ts';
import { rowsOf } from '../model/rows.ts';
import { dayName } from '../model/times.ts';
import { useDesk } from './desk.ts';
import { MessageRow } from './message-row.tsx';
import { useCurrentMessage } from './use-current-message.ts';
import { useNewestInView } from './use-newest-in-view.ts';

interface Props {
  label: string;
  messages: readonly PageMessage[] | null;
  /** The thread that is open beside the list, marked in it. */
  openThread: string | null;
  place: 'channel' | 'thread';
  /** Stands there while there are none. */
  whenEmpty?: ReactNode;
}

/** Messages, oldest first, kept scrolled to the newest while the reader is there. */
export function MessageList({ label, messages, openThread, place, whenEmpty }: Props) {
  const { as } = useDesk();
  const { list, isBehind, toNewest } = useNewestInView(
    messages?.length ?? 0,
    messages?.filter(({ user }) => user === as).length ?? 0,
  );
  const rows = messages === null ? null : rowsOf(messages, as);
  const current = useCurrentMessage(rows ?? []);
  const replies = (messages?.length ?? 0) - 1;
  const isLive = useAfterDrawn(messages !== null);
  return (
    <div className="list-frame">
      <div
        className="list"
        role="log"
        aria-label={label}
        // What was there before is not news; and of a message that changes, only a new part is read out.
        aria-live={isLive ? 'polite' : 'off'}
        aria-relevant="additions"
        ref={list}
        onFocus={current.onFocus}
        onKeyDown={current.onKeyDown}
      >
        <div className="list-inner">
          {place === 'channel' && <h2 className="unseen">Messages</h2>}
          {rows === null && <p className="empty">Loading…</p>}
          {rows?.length === 0 && (whenEmpty ?? <p className="empty">Nothing here yet.</p>)}
          {rows?.map((row) => (
            <Fragment key={row.key}>
              {row.kind === 'message' ? (
                <MessageRow
                  message={row.message}
                  follows={row.follows}
                  isOpen={row.message.ts === openThread}
                  isCurrent={row.key === current.key}
                  root={rootOf(row.message, messages)}
                  place={place}
                />
              ) : (
                place === 'channel' && <Day at={row.at} />
              )}
              {place === 'thread' && row.key === messages?.[0]?.ts && replies > 0 && (
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

/** True once the page has been drawn with what `isThere` says. */
function useAfterDrawn(isThere: boolean): boolean {
  const [isDrawn, setDrawn] = useState(false);
  useEffect(() => {
    const frame = requestAnimationFrame(() => setDrawn(isThere));
    return () => cancelAnimationFrame(frame);
  }, [isThere]);
  return isDrawn;
}

/** Only a reply that was also sent to the channel is shown outside its thread, so it names the thread. */
function rootOf(message: PageMessage, messages: readonly PageMessage[] | null): PageMessage | undefined {
  if (message.subtype !== 'thread_broadcast') return undefined;
  return messages?.find(({ ts }) => ts === message.thread_ts);
}

function Day({ at }: { at: number }) {
  return (
    <p className="day">
      <span>{dayName(at, Date.now())}</span>
    </p>
  );
}
