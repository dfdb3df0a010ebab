import {
  type FocusEvent,
  Fragment,
  type KeyboardEvent,
  memo,
  type RefObject,
  useCallback,
  useEffect,
  useLayoutEffect,
  useRef,
  useState,
} from 'react';
import type { PageMessage, PageState } from '../../src/page-api.ts';
import { millis, type Row, rowsOf } from '../model/rows.ts';
import { clockTime, dayName, excerptOf, fullTime } from '../model/texts.ts';
import { Avatar, Emoji } from './basics.tsx';
import { useDesk } from './desk.ts';
import { composerIn, messageIn } from './keyboard.tsx';
import { MessageBody } from './message-body.tsx';
import { BroadcastLine, MessageTools, Reactions, StreamLine, ThreadLink } from './message-parts.tsx';
import { RootSession } from './session-line.tsx';

const NEAR_PX = 80;
const MARGIN_PX = 10;

interface NewestInView {
  list: RefObject<HTMLDivElement | null>;
  /** Something arrived below the visible part. */
  isBehind: boolean;
  toNewest: () => void;
}

/**
 * Keeps the newest message of a scrolling list in view, unless the reader has scrolled away from it.
 *
 * @param ownCount how many of them the reader wrote; when it grows, the newest is shown, wherever the reader was
 */
function useNewestInView(count: number, ownCount: number): NewestInView {
  const list = useRef<HTMLDivElement>(null);
  const isNear = useRef(true);
  const ownTop = useRef<number | null>(null);
  const isAtEnd = useRef(true);
  const seen = useRef(count);
  const seenOwn = useRef(ownCount);
  const [isBehind, setBehind] = useState(false);

  const scroll = useCallback((top: number) => {
    if (!list.current) return;
    list.current.scrollTop = top;
    ownTop.current = list.current.scrollTop;
    holdBrowser(list.current, true);
    isNear.current = true;
    isAtEnd.current = isEnd(list.current);
    setBehind(false);
  }, []);
  const toNewest = useCallback(() => {
    if (list.current) scroll(newestTop(list.current));
  }, [scroll]);

  useEffect(() => {
    const element = list.current;
    const content = element?.firstElementChild;
    if (!element || !content) return;
    const onScroll = () => {
      // Scroll events of the list's own scrolling arrive late: an image may have loaded since, and the reader has not left.
      if (element.scrollTop === ownTop.current) return;
      ownTop.current = null;
      isNear.current = element.scrollTop > newestTop(element) - NEAR_PX;
      isAtEnd.current = isEnd(element);
      holdBrowser(element, isNear.current);
      if (isNear.current) setBehind(false);
    };
    // Edits and pictures change heights without a new message.
    const observer = new ResizeObserver(() => {
      if (isAtEnd.current && isReadToTheEnd(element)) scroll(endOf(element));
      else if (isNear.current) scroll(Math.max(element.scrollTop, newestTop(element)));
    });
    observer.observe(content);
    observer.observe(element);
    element.addEventListener('scroll', onScroll, { passive: true });
    return () => {
      observer.disconnect();
      element.removeEventListener('scroll', onScroll);
    };
  }, [scroll]);

  useLayoutEffect(() => {
    const hasWritten = ownCount > seenOwn.current && count > seen.current;
    if (isNear.current || hasWritten) toNewest();
    else if (count > seen.current) setBehind(true);
    seen.current = count;
    seenOwn.current = ownCount;
  }, [count, ownCount, toNewest]);

  return { list, isBehind, toNewest };
}

/** While the list keeps the newest in view, the browser's scroll anchoring is off. */
function holdBrowser(list: HTMLElement, isHeld: boolean): void {
  list.style.overflowAnchor = isHeld ? 'none' : 'auto';
}

function endOf(list: HTMLElement): number {
  return list.scrollHeight - list.clientHeight;
}

function isEnd(list: HTMLElement): boolean {
  return list.scrollTop > endOf(list) - NEAR_PX;
}

/** A reader at the end of a streaming message, or past the start of the last one, stays at its end. */
function isReadToTheEnd(list: HTMLElement): boolean {
  const last = list.querySelector('article:last-of-type');
  return last?.matches('.growing') === true || list.scrollTop > newestTop(list);
}

/** The end of the list, or the start of its last message if that is taller than the view. */
function newestTop(list: HTMLElement): number {
  const end = endOf(list);
  const last = list.querySelector('article:last-of-type');
  if (!last) return end;
  const top = last.getBoundingClientRect().top - list.getBoundingClientRect().top + list.scrollTop;
  return Math.min(end, top - MARGIN_PX);
}

interface CurrentMessage {
  /** `ts` of the message at which the Tab key stops. */
  key: string | null;
  onFocus: (focus: FocusEvent) => void;
  onKeyDown: (key: KeyboardEvent) => void;
}

/** Where each key leads from the message at an index. */
const MOVES: Readonly<Record<string, (at: number, last: number) => number>> = {
  ArrowUp: (at) => at - 1,
  ArrowDown: (at) => at + 1,
  Home: () => 0,
  End: (_, last) => last,
};

/** The tool of a message that each key presses, by its label. */
const TOOLS: Readonly<Record<string, string>> = {
  Enter: 'Reply in thread',
  ArrowRight: 'Reply in thread',
  t: 'Reply in thread',
  r: 'React',
  a: 'More actions',
};

/** One message of a list can be focused: the newest, until the arrow keys move to another. */
function useCurrentMessage(rows: readonly Row[]): CurrentMessage {
  const [visited, setVisited] = useState<string | null>(null);
  return {
    key: rows.find(({ key }) => key === visited)?.key ?? rows.at(-1)?.key ?? null,
    onFocus: ({ target }) => {
      const ts = target.closest('article')?.dataset.ts;
      if (ts !== undefined) setVisited(ts);
    },
    onKeyDown: (key) => {
      if (!(key.target instanceof HTMLElement) || !key.target.matches('article')) return;
      if (key.ctrlKey || key.metaKey || key.altKey) return;
      const isTaken = move(key.currentTarget, key.target, key.key) || use(key.target, key.key);
      if (isTaken) key.preventDefault();
    },
  };
}

function move(list: Element, from: HTMLElement, key: string): boolean {
  const next = MOVES[key];
  if (next === undefined) return false;
  const articles = [...list.querySelectorAll('article')];
  articles[next(articles.indexOf(from), articles.length - 1)]?.focus();
  return true;
}

function use(message: HTMLElement, key: string): boolean {
  const tools = [...message.querySelectorAll<HTMLElement>('.tools .tool')];
  const tool = tools.find((one) => one.getAttribute('aria-label') === TOOLS[key]);
  tool?.click();
  return tool !== undefined;
}

/** What has the focus, and where it is, so that its replacement can be found. */
interface Held {
  element: HTMLElement;
  name: string;
  ts: string | undefined;
  part: HTMLElement | null;
  /** `ts` of the thread that it was in. */
  thread: string | undefined;
}

/**
 * Focus is never lost: when its element goes (a message is deleted, a card is redrawn, a pane closes), it passes to
 * the replacement, else to the message, else to the composer beside it. An element that was only busy gets it back.
 */
export function useKeptFocus(): void {
  useEffect(() => {
    let held: Held | null = null;
    let frame = 0;
    const restore = () => {
      if (held === null || !isNowhere() || isBusy(held.element)) return;
      successor(held)?.focus();
    };
    const observer = new MutationObserver(() => {
      if (held === null || !isNowhere()) return;
      cancelAnimationFrame(frame);
      // Whoever closed something decides first where the focus goes.
      frame = requestAnimationFrame(restore);
    });
    const onFocus = ({ target }: globalThis.FocusEvent) => {
      held = target instanceof HTMLElement ? heldBy(target) : null;
    };
    // A click on the background removes the focus on purpose.
    const onPress = ({ target }: Event) => {
      if (target instanceof Node && held?.element.contains(target) === false) held = null;
    };
    observer.observe(document.body, {
      subtree: true,
      childList: true,
      attributes: true,
      attributeFilter: ['disabled', 'hidden', 'open'],
    });
    document.addEventListener('focusin', onFocus);
    document.addEventListener('pointerdown', onPress);
    return () => {
      cancelAnimationFrame(frame);
      observer.disconnect();
      document.removeEventListener('focusin', onFocus);
      document.removeEventListener('pointerdown', onPress);
    };
  }, []);
}

function isNowhere(): boolean {
  return document.activeElement === null || document.activeElement === document.body;
}

function isBusy(element: HTMLElement): boolean {
  return element.isConnected && element.matches(':disabled');
}

function heldBy(element: HTMLElement): Held {
  return {
    element,
    name: nameOf(element),
    ts: element.closest('article')?.dataset.ts,
    part: element.closest<HTMLElement>('nav.sidebar, main, aside'),
    thread: element.closest<HTMLElement>('[data-thread]')?.dataset.thread,
  };
}

function nameOf(element: HTMLElement): string {
  return element.getAttribute('aria-label') ?? element.textContent;
}

function successor({ element, name, ts, part, thread }: Held): HTMLElement | null {
  if (element.isConnected && element.checkVisibility()) return element;
  const main = document.querySelector('main');
  const message = messageIn(part?.isConnected ? part : main, ts);
  const controls = message?.querySelectorAll<HTMLElement>('button, select, input, a') ?? [];
  const same = [...controls].find((control) => nameOf(control) === name && !control.matches(':disabled'));
  const beside = part?.isConnected && part.checkVisibility() ? composerIn(part) : null;
  return same ?? message ?? beside ?? messageIn(main, thread) ?? composerIn(main);
}

interface MessageRowProps {
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
const MessageRow = memo(function MessageRow({
  message,
  follows,
  isOpen,
  isCurrent,
  root,
  place,
}: MessageRowProps) {
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

interface MessageListProps {
  label: string;
  messages: readonly PageMessage[] | null;
  /** The thread that is open beside the list, marked in it. */
  openThread: string | null;
  place: 'channel' | 'thread';
}

/** Messages, oldest first, kept scrolled to the newest while the reader is there. */
export function MessageList({ label, messages, openThread, place }: MessageListProps) {
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
          {rows?.length === 0 && <p className="empty">Nothing here yet.</p>}
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
