import { useState } from 'react';
import type { PageFile, PageMessage } from '../../src/page-api.ts';
import { millis } from '../model/rows.ts';
import { ago, excerptOf, fileAddress, sizeWords } from '../model/texts.ts';
import { Emoji, Icon, useShownDialog } from './basics.tsx';
import { EmojiPicker } from './composer.tsx';
import { useDesk } from './desk.ts';
import { Menu, ShortcutItems } from './menu.tsx';
import { Dots } from './session-line.tsx';

const TALLEST = 360;

interface PictureProps {
  src: string;
  alt: string;
  title: string;
  /** Of the whole picture, so that its place is kept while it loads. */
  size: { width: number; height: number } | null;
}

/** A picture as messages show it, under its title; a click shows it in full. */
export function Picture({ src, alt, title, size }: PictureProps) {
  const [isOpen, setOpen] = useState(false);
  const [isBroken, setBroken] = useState(false);
  if (isBroken) return <p className="picture-gone">{`This picture cannot be shown: ${alt}`}</p>;
  const scale = size && Math.min(1, TALLEST / size.height);
  const place = size && scale ? { width: size.width * scale, height: size.height * scale } : {};
  return (
    <figure className="picture">
      {title !== '' && <figcaption>{title}</figcaption>}
      <button type="button" className="plain" title="Show in full" onClick={() => setOpen(true)}>
        <img
          className="picture-image"
          src={src}
          alt={alt}
          {...place}
          referrerPolicy="no-referrer"
          onError={() => setBroken(true)}
        />
      </button>
      {isOpen && <Lightbox src={src} alt={alt} title={title} onClose={() => setOpen(false)} />}
    </figure>
  );
}

// A click beside it closes it, too.
const LIGHT = { closedby: 'any' } as const;

interface LightboxProps {
  src: string;
  alt: string;
  title: string;
  onClose: () => void;
}

/** A picture in full over the page; Escape and a click beside it close it. */
function Lightbox({ src, alt, title, onClose }: LightboxProps) {
  const dialog = useShownDialog();
  return (
    <dialog ref={dialog} className="lightbox" aria-label={title || alt} onClose={onClose} {...LIGHT}>
      <header>
        <strong className="lightbox-title">{title}</strong>
        <a className="plain" href={src} download>
          Download
        </a>
        <button type="button" className="plain close" aria-label="Close" onClick={onClose}>
          ×
        </button>
      </header>
      <img src={src} alt={alt} />
    </dialog>
  );
}

/** The files of a message: pictures to be seen, all else to be saved. */
export function MessageFiles({ files }: { files: readonly PageFile[] }) {
  if (files.length === 0) return null;
  return (
    <div className="files">
      {files.map((file) => (
        <OneFile key={file.id} file={file} />
      ))}
    </div>
  );
}

function OneFile({ file }: { file: PageFile }) {
  const { id, title, name, alt, image } = file;
  if (file.state === 'deleted') return <p className="file-gone">This file was deleted.</p>;
  if (image) {
    return <Picture src={fileAddress(id)} alt={alt ?? title} title={title || name} size={image} />;
  }
  return <Attached file={file} />;
}

/** A file with its first lines. */
function Attached({ file }: { file: PageFile }) {
  const { id, title, name, kind, size, preview = '', lines_more: more = 0 } = file;
  return (
    <div className="file">
      <div className="file-head">
        <span className="file-icon" aria-hidden="true">
          {extensionOf(name)}
        </span>
        <span className="file-name">
          <strong>{title || name}</strong>
          <small>{[kind, sizeWords(size)].filter(Boolean).join(' · ')}</small>
        </span>
        <a className="button" href={fileAddress(id)} download={name} aria-label={`Download ${title || name}`}>
          Download
        </a>
      </div>
      {preview !== '' && <pre className="file-preview">{preview}</pre>}
      {more > 0 && <p className="file-more">{more === 1 ? '1 more line' : `${more} more lines`}</p>}
    </div>
  );
}

function extensionOf(name: string): string {
  return /\.(\w{1,4})$/.exec(name)?.[1]?.toUpperCase() ?? 'FILE';
}

/** Emoji that people and apps put on a message, each with its count; a click adds one's own or takes it back. */
export function Reactions({ message }: { message: PageMessage }) {
  const { workspace, as, react } = useDesk();
  const { reactions = [] } = message;
  if (reactions.length === 0) return null;
  const nameOf = (id: string) => {
    if (id === workspace.bot.user_id) return workspace.bot.name;
    return workspace.users.find((user) => user.id === id)?.name ?? id;
  };
  return (
    <ul className="reactions" aria-label="Reactions">
      {reactions.map(({ name, count, users }) => {
        const isMine = users.includes(as);
        return (
          <li key={name}>
            <button
              type="button"
              aria-pressed={isMine}
              title={`${users.map(nameOf).join(', ')} reacted with :${name}:`}
              onClick={() => void react(message, name, !isMine)}
            >
              <Emoji name={name} /> <span>{count}</span>
            </button>
          </li>
        );
      })}
    </ul>
  );
}

interface MessageToolsProps {
  message: PageMessage;
  place: 'channel' | 'thread';
  /** Whether the Tab key stops here: only at the message that the reader is on. */
  isReachable: boolean;
}

/** What can be done with a message: seen while the pointer or the focus is on it. */
export function MessageTools({ message, place, isReachable }: MessageToolsProps) {
  const { workspace, openThread } = useDesk();
  const shortcuts = workspace.shortcuts.filter(({ type }) => type === 'message');
  return (
    <div className="tools">
      <Menu
        label="React"
        icon={<Icon name="react" />}
        className="to-left"
        isReachable={isReachable}
        holds="dialog"
      >
        {(close) => <EmojiPicker message={message} onDone={close} />}
      </Menu>
      {place === 'channel' && (
        <button
          type="button"
          className="tool"
          aria-label="Reply in thread"
          title="Reply in thread"
          tabIndex={isReachable ? 0 : -1}
          onClick={() => openThread(message)}
        >
          <Icon name="thread" />
        </button>
      )}
      {shortcuts.length > 0 && (
        <Menu
          label="More actions"
          icon={<Icon name="more" />}
          className="to-left"
          isReachable={isReachable}
          holds="menu"
        >
          {(close) => <ShortcutItems shortcuts={shortcuts} message={message} onDone={close} />}
        </Menu>
      )}
    </div>
  );
}

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

interface ThreadLinkProps {
  message: PageMessage;
  /** The thread's root, if it is among the messages shown. */
  root: PageMessage | undefined;
  place: 'channel' | 'thread';
}

/** Of a reply that was sent to the channel too: to which thread it belongs, or that it was. */
export function BroadcastLine({ message, root, place }: ThreadLinkProps) {
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
