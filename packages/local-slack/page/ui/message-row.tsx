import { memo } from 'react';
import type { PageMessage, PageState } from '../../src/page-api.ts';
import { excerptOf } from '../model/excerpt.ts';
import { millis } from '../model/rows.ts';
import { clockTime, fullTime } from '../model/times.ts';
import { Avatar } from './avatar.tsx';
import { useDesk } from './desk.ts';
import { Emoji } from './emoji.tsx';
import { MessageBody } from './message-body.tsx';
import { BroadcastLine, StreamLine, ThreadLink } from './message-lines.tsx';
import { MessageTools } from './message-tools.tsx';
import { Reactions } from './reactions.tsx';
import { RootSession } from './session-line.tsx';

interface Props {
  message: PageMessage;
  follows: boolean;
  isOpen: boolean;
  /** The one message of the list at which the Tab key stops. */
  isCurrent: boolean;
  /** The root of its thread, if that is among the messages shown. */
  root: PageMessage | undefined;
  place: 'channel' | 'thread';
}

/** One message: author, time, content and reactions. */
export const MessageRow = memo(function MessageRow({
  message,
  follows,
  isOpen,
  isCurrent,
  root,
  place,
}: Props) {
  const { workspace, as, openThread, dismiss } = useDesk();
  const author = authorOf(message, workspace);
  const isOnlyForReader = message.ephemeral_to !== undefined;
  const isGrowing = message.streaming === true;
  const classes = [
    'message',
    follows && 'follows',
    isOpen && 'open',
    isOnlyForReader && 'ephemeral',
    isGrowing && 'growing',
  ];
  return (
    <article
      className={classes.filter(Boolean).join(' ')}
      data-ts={message.ts}
      aria-label={`Message from ${author.name}, ${clockTime(millis(message.ts))}: ${excerptOf(message)}`}
      // Read out once it is whole.
      aria-busy={isGrowing}
      tabIndex={isCurrent ? 0 : -1}
    >
      <div className="gutter">
        {follows ? (
          <Time ts={message.ts} />
        ) : (
          <Avatar name={author.name} color={author.color} emoji={message.icons?.emoji ?? null} size="large" />
        )}
      </div>
      <div className="content">
        {isOnlyForReader && (
          <p className="only-you">
            <Emoji name="eyes" /> Only visible to you ·{' '}
            <button type="button" className="plain link" onClick={() => dismiss(message)}>
              Dismiss
            </button>
          </p>
        )}
        {!follows && (
          <p className="byline">
            <strong>{author.name}</strong>
            {author.isApp && <span className="badge">APP</span>}
            <Time ts={message.ts} />
          </p>
        )}
        <BroadcastLine message={message} root={root} place={place} />
        <MessageBody key={as} message={message} />
        {isGrowing && <StreamLine message={message} />}
        <Reactions message={message} />
        {place === 'channel' && <RootSession message={message} />}
        {place === 'channel' && <ThreadLink message={message} onOpen={() => openThread(message)} />}
      </div>
      {!isOnlyForReader && <MessageTools message={message} place={place} isReachable={isCurrent} />}
    </article>
  );
});

function Time({ ts }: { ts: string }) {
  const at = millis(ts);
  return (
    <time dateTime={new Date(at).toISOString()} title={fullTime(at)}>
      {clockTime(at)}
    </time>
  );
}

function authorOf(message: PageMessage, workspace: PageState) {
  const user = workspace.users.find((candidate) => candidate.id === message.user);
  const isBot = message.user === workspace.bot.user_id;
  const ownName = user?.real_name || user?.name || (isBot ? workspace.bot.name : message.user);
  return {
    name: message.username ?? ownName ?? message.bot_id ?? 'Unknown',
    color: message.username === undefined ? (user?.color ?? null) : null,
    isApp: message.bot_id !== undefined || isBot || user?.is_bot === true,
  };
}
